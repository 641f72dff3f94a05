import { Injectable } from '@nestjs/common';
import { Clock } from '#kernel/time/clock';
import { ApiToken } from '../domain/api-token.js';
import { TokenReader, type TokenHolder } from './ports/token-reader.js';
import { TokenUsage } from './ports/token-usage.js';
import { RecentTokenHolders } from './recent-token-holders.js';

/** Whom a token belonged to when it was last asked for, and the answer to the question whether it still does. */
export interface ExpectedHolder {
  readonly holder: TokenHolder;
  /** As of `authenticate`. */
  readonly answer: Promise<TokenHolder | null>;
  /** The same as soon as it is there, for those who need not wait then; undefined before, and where it failed. */
  readonly found: TokenHolder | null | undefined;
}

@Injectable()
export class TokenAuthentication {
  private readonly seen = new RecentTokenHolders();

  constructor(
    private readonly reader: TokenReader,
    private readonly usage: TokenUsage,
    private readonly clock: Clock,
  ) {}

  /** False for what cannot be a token: wrong form or checksum. Nothing is asked for it. */
  isPossible(text: string): boolean {
    return ApiToken.parse(text) !== null;
  }

  /** Who holds the token; null for anything that is no valid token. A wrong checksum costs no database read. */
  authenticate(text: string): Promise<TokenHolder | null> {
    const token = ApiToken.parse(text);
    return token ? this.ask(token.hash) : Promise.resolve(null);
  }

  /**
   * Asks who holds the token, and says at once who will be expected: for a read that begins before the answer is there
   * and of which nothing may leave before that names the same holder. Null when the token was not valid, or not asked
   * for by this process, before; then nothing is asked.
   */
  expect(text: string): ExpectedHolder | null {
    const hash = ApiToken.parse(text)?.hash;
    const holder = hash && this.seen.find(hash);
    if (!holder) return null;
    const answer = this.ask(hash);
    const expected: { -readonly [K in keyof ExpectedHolder]: ExpectedHolder[K] } = { holder, answer, found: undefined };
    answer.then(
      (found) => (expected.found = found),
      () => undefined, // whoever waits for it hears of it; somebody may have gone away
    );
    return expected;
  }

  private async ask(hash: Buffer): Promise<TokenHolder | null> {
    const holder = await this.reader.findByHash(hash);
    this.seen.note(hash, holder);
    if (holder) this.usage.note(holder.tokenId, this.clock.now());
    return holder;
  }
}
