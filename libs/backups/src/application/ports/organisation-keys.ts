import type { Uuid } from '#kernel/crypto/uuid';

/** Public keys of age that organisations have named. */
export abstract class OrganisationKeys {
  abstract find(organisationId: Uuid): Promise<string | null>;
  /** @param recipient null: none any more */
  abstract save(organisationId: Uuid, recipient: string | null, at: Date): Promise<void>;
  /** Whether the text is a public key that backups can be sealed to. */
  abstract accepts(recipient: string): boolean;
}
