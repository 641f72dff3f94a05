import type { Uuid } from '#kernel/crypto/uuid';

/** The public keys, in addition to the panel's own, whose owners can read the backups of an organisation. */
export abstract class BackupRecipients {
  /** @param organisationId null for services of the panel itself */
  abstract of(organisationId: Uuid | null): Promise<readonly string[]>;
}
