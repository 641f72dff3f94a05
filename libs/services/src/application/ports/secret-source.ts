import type { SecretText } from '#kernel/crypto/secret-text';
import type { Uuid } from '#kernel/crypto/uuid';

/** The secrets that an organisation keeps for its deployments. */
export abstract class SecretSource {
  /** Those of the names that exist, whether or not their values can be opened. */
  abstract existing(organisationId: Uuid, names: readonly string[]): Promise<ReadonlySet<string>>;
  /** A name that does not exist, or whose value cannot be opened, is missing from the answer. */
  abstract resolve(organisationId: Uuid, names: readonly string[]): Promise<ReadonlyMap<string, SecretText>>;
}
