import type { Uuid } from '#kernel/crypto/uuid';

/** Records that a token was used, without waiting; it reaches the database a little later. */
export abstract class TokenUsage {
  abstract note(tokenId: Uuid, at: Date): void;
}
