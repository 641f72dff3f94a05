import type { TokenHolder } from './ports/token-reader.js';

/**
 * Who held which token when it was last asked for: a guess to begin with, never an answer. Knows the hashes of tokens,
 * no token, and of those that were asked for first it forgets when there are too many.
 */
export class RecentTokenHolders {
  private readonly byHash = new Map<string, TokenHolder>();

  constructor(private readonly most = 10_000) {}

  find(hash: Buffer): TokenHolder | null {
    return this.byHash.get(hash.toString('latin1')) ?? null;
  }

  /** What the database has just said: null for a token that is not valid. */
  note(hash: Buffer, holder: TokenHolder | null): void {
    const key = hash.toString('latin1');
    if (!holder) {
      this.byHash.delete(key);
      return;
    }
    this.byHash.set(key, holder);
    if (this.byHash.size > this.most) this.byHash.delete(this.byHash.keys().next().value!);
  }
}
