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
  /** Restores of a service's backups and restores into the service, newest first. */
  abstract list(
    scope: OrganisationScope,
    serviceId: Uuid,
    slice: { readonly offset: number; readonly limit: number },
  ): Promise<RestorePage>;
  abstract update(restore: Restore): Promise<void>;
  /**
   * Leases the oldest restore that no live worker holds and that can start: the first deployment of its new service, or
   * the backup taken before data are replaced, has finished. Returns null when there is none or when `limit` restores
   * are running. Status `running` means that an earlier worker died.
   */
  abstract claim(worker: Uuid, leaseMs: number, limit: number): Promise<Restore | null>;
  /** @throws BackupLeaseLost */
  abstract renew(id: Uuid, worker: Uuid, leaseMs: number): Promise<void>;
  /** @throws BackupLeaseLost */
  abstract assertHeld(id: Uuid, worker: Uuid): Promise<void>;
  abstract release(id: Uuid, worker: Uuid): Promise<void>;
}
