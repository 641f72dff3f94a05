import type { PartnerType } from '#libs/partners';
import type { Uuid } from '#kernel/crypto/uuid';
import type { Scope } from '../../domain/scope.js';

/** The caller that a valid token identifies. */
export interface TokenHolder {
  readonly tokenId: Uuid;
  readonly scope: Scope;
  readonly partnerId: Uuid;
  readonly partnerName: string;
  readonly partnerType: PartnerType;
}

/**
 * The look-up of every request. Nothing is cached, so a revoked token is refused by the next request in any process.
 */
export abstract class TokenReader {
  /** Null if no valid token has this SHA-256; a revoked token is not valid. */
  abstract findByHash(hash: Buffer): Promise<TokenHolder | null>;
}
