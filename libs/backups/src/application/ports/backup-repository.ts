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

/** The kinds of work on a backup: `dump` makes it, `proof` verifies it. */
export type BackupWork = 'dump' | 'proof';

export interface NewestProof {
  readonly serviceId: Uuid;
  /** Age of the verification of the service's newest verified backup. */
  readonly ageSeconds: number;
}

export abstract class BackupRepository {
  /** @throws BackupInProgress */
  abstract insert(backup: Backup): Promise<void>;
  /** Whether a backup of the service is queued or running. */
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
  /** All backups of a service that have succeeded and not expired, without base backups. */
  abstract kept(serviceId: Uuid): Promise<readonly Backup[]>;
  /** Backups of all services whose `expiresAt` has passed, without base backups. */
  abstract dueToExpire(now: Date, limit: number): Promise<readonly Uuid[]>;
  /** Total size in the store of a service's backups. */
  abstract storedBytes(scope: OrganisationScope, serviceId: Uuid): Promise<number>;
  /** When the newest scheduled backup of a service was queued, whether or not it succeeded; null when there is none. */
  abstract lastScheduledAt(serviceId: Uuid): Promise<Date | null>;
  /** One entry for each existing service that has a verified backup. Base backups do not count. */
  abstract newestProofs(): Promise<readonly NewestProof[]>;
  /** Services with backups that have succeeded and not expired. Base backups do not count. */
  abstract servicesWithBackups(): Promise<readonly Uuid[]>;
  /**
   * Leases the oldest backup that needs this work and that no live worker holds. Returns null when there is none, or
   * when `limit` backups of the installation are already being worked on in this way. The backup is returned as stored:
   * status `running` means that an earlier worker died.
   */
  abstract claim(work: BackupWork, worker: Uuid, leaseMs: number, limit: number): Promise<Backup | null>;
  /** @throws BackupLeaseLost */
  abstract renew(id: Uuid, worker: Uuid, leaseMs: number): Promise<void>;
  /** Must be called in a transaction: no other worker can take the lease until it ends. @throws BackupLeaseLost */
  abstract assertHeld(id: Uuid, worker: Uuid): Promise<void>;
  abstract release(id: Uuid, worker: Uuid): Promise<void>;
}
