import type { SecretText } from '#kernel/crypto/secret-text';
import type { Uuid } from '#kernel/crypto/uuid';

/** The secrets of organisations for their deployments. */
export abstract class SecretSource {
  /** The names among these that exist, even if their values cannot be decrypted. */
  abstract existing(organisationId: Uuid, names: readonly string[]): Promise<ReadonlySet<string>>;
  /** The values by name. Secrets that do not exist or cannot be decrypted are omitted. */
  abstract resolve(organisationId: Uuid, names: readonly string[]): Promise<ReadonlyMap<string, SecretText>>;
}
