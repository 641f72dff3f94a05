import type { Uuid } from '#kernel/crypto/uuid';

/** Public keys, besides the panel's own, that the backups of an organisation are readable by. */
export abstract class BackupRecipients {
  /** @param organisationId null: a service of the panel's own */
  abstract of(organisationId: Uuid | null): Promise<readonly string[]>;
}
