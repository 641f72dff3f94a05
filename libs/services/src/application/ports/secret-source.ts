import type { SecretText } from '#kernel/crypto/secret-text';
import type { Uuid } from '#kernel/crypto/uuid';

/** The secrets that an organisation keeps for its deployments. */
export abstract class SecretSource {
  /** A name that does not exist, or whose value cannot be opened, is missing from the answer. */
  abstract resolve(organisationId: Uuid, names: readonly string[]): Promise<ReadonlyMap<string, SecretText>>;
}
