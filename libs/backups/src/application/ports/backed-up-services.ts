import type { Uuid } from '#kernel/crypto/uuid';

/** What the backups must know of services besides what the services tell themselves. */
export abstract class BackedUpServices {
  /** Those of the ids that still exist. */
  abstract existing(ids: readonly Uuid[]): Promise<ReadonlySet<Uuid>>;
}
