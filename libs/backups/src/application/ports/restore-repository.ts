import type { Uuid } from '#kernel/crypto/uuid';
import type { OrganisationScope } from '#libs/services';
import type { Restore } from '../../domain/restore.js';

export interface RestorePage {
  readonly restores: readonly Restore[];
  readonly total: number;
}

export abstract class RestoreRepository {
  /** @throws RestoreInProgress */
  abstract insert(restore: Restore): Promise<void>;
  abstract get(scope: OrganisationScope, id: Uuid): Promise<Restore | null>;
  /** Of the backups of a service and into it, newest first. */
  abstract list(
    scope: OrganisationScope,
    serviceId: Uuid,
    slice: { readonly offset: number; readonly limit: number },
  ): Promise<RestorePage>;
  abstract update(restore: Restore): Promise<void>;
  /**
   * Takes up the oldest one that nobody is at and that waits for nothing any more: neither for the first deployment of
   * a new service, nor for the backup that is taken before data are replaced. `running` means that a worker died.
   */
  abstract claim(worker: Uuid, leaseMs: number, limit: number): Promise<Restore | null>;
  /** @throws BackupLeaseLost */
  abstract renew(id: Uuid, worker: Uuid, leaseMs: number): Promise<void>;
  /** @throws BackupLeaseLost */
  abstract assertHeld(id: Uuid, worker: Uuid): Promise<void>;
  abstract release(id: Uuid, worker: Uuid): Promise<void>;
}
