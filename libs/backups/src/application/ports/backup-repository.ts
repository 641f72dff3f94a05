import type { Uuid } from '#kernel/crypto/uuid';
import type { OrganisationScope } from '#libs/services';
import type { Backup } from '../../domain/backup.js';
import type { BackupStatus } from '../../domain/backup-state.js';

export interface BackupFilter {
  readonly status: BackupStatus | null;
}

export interface BackupPage {
  readonly backups: readonly Backup[];
  readonly total: number;
}

/** What a worker can do with a backup. */
export type BackupWork = 'dump' | 'proof';

export interface NewestProof {
  readonly serviceId: Uuid;
  /** Since the newest backup of the service that is still there was verified. */
  readonly ageSeconds: number;
}

export abstract class BackupRepository {
  /** @throws BackupInProgress */
  abstract insert(backup: Backup): Promise<void>;
  /** Whether a backup of the service waits or runs. */
  abstract isBusy(serviceId: Uuid): Promise<boolean>;
  abstract get(scope: OrganisationScope, id: Uuid): Promise<Backup | null>;
  abstract getForUpdate(scope: OrganisationScope, id: Uuid): Promise<Backup | null>;
  abstract update(backup: Backup): Promise<void>;
  /** Newest first. */
  abstract list(
    scope: OrganisationScope,
    serviceId: Uuid,
    filter: BackupFilter,
    slice: { readonly offset: number; readonly limit: number },
  ): Promise<BackupPage>;
  /** All of a service that have succeeded and not expired. */
  abstract kept(serviceId: Uuid): Promise<readonly Backup[]>;
  /** Of all services, whose time is over. */
  abstract dueToExpire(now: Date, limit: number): Promise<readonly Uuid[]>;
  /** What the backups of a service take in the store. */
  abstract storedBytes(scope: OrganisationScope, serviceId: Uuid): Promise<number>;
  /** When the schedule asked for the newest one of a service, whatever became of it. */
  abstract lastScheduledAt(serviceId: Uuid): Promise<Date | null>;
  /** Of each service that exists and has a verified backup. */
  abstract newestProofs(): Promise<readonly NewestProof[]>;
  /** Services that have backups to keep. */
  abstract servicesWithBackups(): Promise<readonly Uuid[]>;
  /**
   * Takes up the oldest piece of work that nobody is at, or whose worker is gone, unless `limit` of the kind are under
   * way already. The backup is as it was stored: `running` means that a worker died in the middle.
   */
  abstract claim(work: BackupWork, worker: Uuid, leaseMs: number, limit: number): Promise<Backup | null>;
  /** @throws BackupLeaseLost */
  abstract renew(id: Uuid, worker: Uuid, leaseMs: number): Promise<void>;
  /** Within a transaction: nobody else can take the lease until it ends. @throws BackupLeaseLost */
  abstract assertHeld(id: Uuid, worker: Uuid): Promise<void>;
  abstract release(id: Uuid, worker: Uuid): Promise<void>;
}
