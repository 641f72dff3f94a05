/** Settings of monitoring, read once at start. */
export abstract class MonitoringSettings {
  /** Time between two samples. */
  abstract readonly intervalMs: number;
  /** Whether the panel restarts services that stay unhealthy. */
  abstract readonly autoRecovery: boolean;
}

export const MONITORING_INTERVAL_MS = 10_000;

/** A sample older than two and a half intervals is outdated. */
export function samplesFreshMs({ intervalMs }: MonitoringSettings): number {
  return Math.max(25_000, 2.5 * intervalMs);
}

/** The health of a service is unknown after three missing samples. */
export function healthFreshMs({ intervalMs }: MonitoringSettings): number {
  return Math.max(30_000, 3 * intervalMs);
}

/** After this time a measurement is outdated. The engine walks through all files, so it is asked every five minutes. */
export const DISKS_FRESH_MS = 15 * 60_000;
