import type { Uuid } from '#kernel/crypto/uuid';
import type { GroupUsage } from '../../../domain/monitoring/group-usage.js';
import type { HealthVerdict } from '../../../domain/monitoring/group-health.js';
import type { Recovery } from '../../../domain/monitoring/recovery.js';
import type { ServiceDiskUsage, ServiceHealth } from './monitoring-queries.js';

/** A point of a sparkline, stored by its age, because processes do not share a monotonic clock. */
export interface AgedPoint {
  readonly ageMs: number;
  readonly cpuPct: number;
  readonly ramPct: number;
  readonly samples: number;
}

export interface UsageRecord extends GroupUsage {
  readonly serviceId: Uuid;
  /** Oldest first. */
  readonly spark: readonly AgedPoint[];
}

export interface HealthRecord {
  readonly serviceId: Uuid;
  readonly status: HealthVerdict;
  readonly containers: ServiceHealth['containers'];
  readonly recovery: Recovery;
}

/** One sample of all services. */
export interface Round {
  readonly at: Date;
  readonly usages: readonly UsageRecord[];
  readonly healths: readonly HealthRecord[];
}

export interface DiskRecord extends Pick<ServiceDiskUsage, 'volumes' | 'containers' | 'images'> {
  readonly serviceId: Uuid;
  readonly totalBytes: number;
}

/** The state stored by earlier samples, of any process. */
export interface Remembered {
  readonly spark: readonly AgedPoint[];
  /** Null before the first sample. */
  readonly status: HealthVerdict | null;
  readonly recovery: Recovery;
}

/** Another process samples now, so the results of this one are discarded. */
export class CollectorReplaced extends Error {
  constructor() {
    super('another process collects for the engine');
    this.name = 'CollectorReplaced';
  }
}

/** Stores the samples, and the lease that lets one process sample at a time. */
export abstract class MonitoringStore {
  /** Takes or renews the lease. @returns false while another process holds it */
  abstract hold(holder: Uuid, leaseMs: number): Promise<boolean>;
  /** Releases the lease at once. */
  abstract release(holder: Uuid): Promise<void>;
  abstract recall(): Promise<ReadonlyMap<Uuid, Remembered>>;
  /** In the current transaction. @throws CollectorReplaced */
  abstract save(holder: Uuid, round: Round): Promise<void>;
  /** The engine does not respond: mark all samples as outdated. */
  abstract markSilent(holder: Uuid): Promise<void>;
  abstract saveRecovery(serviceId: Uuid, recovery: Recovery): Promise<void>;
  abstract saveDisks(disks: readonly DiskRecord[], at: Date): Promise<void>;
  /**
   * Deletes samples that no response shows any more, and those in the future. It counts samples instead of comparing
   * their age, so that a clock that was set forward does not delete the whole history.
   * @param samples how many samples of each service are kept
   */
  abstract clear(now: Date, samples: number): Promise<void>;
}
