/** The choices of an installation about monitoring, read once at start. */
export abstract class MonitoringSettings {
  /** Between two looks at the engine. */
  abstract readonly intervalMs: number;
  /** Whether the panel restarts services that stay unhealthy. */
  abstract readonly autoRecovery: boolean;
}

export const MONITORING_INTERVAL_MS = 10_000;

/** A sample older than two and a half looks is no current one. */
export function samplesFreshMs({ intervalMs }: MonitoringSettings): number {
  return Math.max(25_000, 2.5 * intervalMs);
}

/** Of the health of a service nothing is known after three looks that did not come. */
export function healthFreshMs({ intervalMs }: MonitoringSettings): number {
  return Math.max(30_000, 3 * intervalMs);
}

/** The engine walks through all files to measure the disks, so it is asked every five minutes only. */
export const DISKS_FRESH_MS = 15 * 60_000;
