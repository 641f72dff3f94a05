import type { Uuid } from '#kernel/crypto/uuid';

/** What backups need to know about services that the services module does not offer. */
export abstract class BackedUpServices {
  /** The subset of `ids` whose services still exist. */
  abstract existing(ids: readonly Uuid[]): Promise<ReadonlySet<Uuid>>;
}
