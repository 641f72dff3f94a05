import type { PartnerType } from '#libs/partners';
import type { Uuid } from '#kernel/crypto/uuid';
import type { Scope } from '../../domain/scope.js';

/** The caller, as far as a valid token identifies it. */
export interface TokenHolder {
  readonly tokenId: Uuid;
  readonly scope: Scope;
  readonly partnerId: Uuid;
  readonly partnerName: string;
  readonly partnerType: PartnerType;
}

/** The look-up of every request. Nothing is cached: a revoked token is unknown to the next request in any process. */
export abstract class TokenReader {
  /** Null if no valid token has this SHA-256: unknown and revoked are the same. */
  abstract findByHash(hash: Buffer): Promise<TokenHolder | null>;
}
