import type { Uuid } from '#kernel/crypto/uuid';

/** Notes that a token was used, at once and without waiting; what is noted reaches the database a little later. */
export abstract class TokenUsage {
  abstract note(tokenId: Uuid, at: Date): void;
}
