import type { Uuid } from '#kernel/crypto/uuid';
import type { ProviderIdentity, User } from '../../domain/user.js';

export abstract class UserRepository {
  abstract get(id: Uuid): Promise<User | null>;
  /** Locks the row until the transaction ends. */
  abstract getForUpdate(id: Uuid): Promise<User | null>;
  abstract findByIdentity(identity: ProviderIdentity): Promise<User | null>;
  /** All users with that address, oldest first. An address may pass from one person to another. */
  abstract findByEmail(email: string): Promise<readonly User[]>;
  abstract list(): Promise<readonly User[]>;
  /** @throws Conflict if the identity, or an unlinked user with that address, already exists */
  abstract insert(user: User): Promise<void>;
  /** Changes everything but the id and the creation time. */
  abstract update(user: User): Promise<void>;
}
