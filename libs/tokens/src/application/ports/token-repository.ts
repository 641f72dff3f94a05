import type { PartnerAccount } from '#libs/partners';
import type { Uuid } from '#kernel/crypto/uuid';
import type { TokenRecord } from '../../domain/token-record.js';

export abstract class TokenRepository {
  abstract insert(token: TokenRecord, hash: Buffer): Promise<void>;
  /** Newest first, revoked ones included. */
  abstract list(account: PartnerAccount): Promise<TokenRecord[]>;
  /**
   * Revokes once: a second call changes nothing.
   * @returns false if the account has no such token
   */
  abstract revoke(account: PartnerAccount, id: Uuid, at: Date): Promise<boolean>;
  /** The partner that a token belongs to; for staff, who act on any account. */
  abstract ownerOf(id: Uuid): Promise<Uuid | null>;
}
