import type { Uuid } from '#kernel/crypto/uuid';

/** The public age keys that organisations have registered for their backups. */
export abstract class OrganisationKeys {
  abstract find(organisationId: Uuid): Promise<string | null>;
  /** @param recipient null removes the key */
  abstract save(organisationId: Uuid, recipient: string | null, at: Date): Promise<void>;
  /** Whether the text is a public key that backups can be sealed to. */
  abstract accepts(recipient: string): boolean;
}
