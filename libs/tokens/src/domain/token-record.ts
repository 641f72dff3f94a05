import type { Uuid } from '#kernel/crypto/uuid';
import type { Scope } from './scope.js';

/** A token without its secret, which cannot be read back. */
export interface TokenRecord {
  readonly id: Uuid;
  readonly partnerId: Uuid;
  readonly label: string;
  readonly tokenPrefix: string;
  readonly scope: Scope;
  /** The token that created this one; its own id if staff did. */
  readonly createdBy: Uuid;
  readonly createdAt: Date;
  /** To the minute, written in batches; null before the first use. */
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
}
