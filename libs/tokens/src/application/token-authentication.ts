import { Injectable } from '@nestjs/common';
import { Clock } from '#kernel/time/clock';
import { ApiToken } from '../domain/api-token.js';
import { TokenReader, type TokenHolder } from './ports/token-reader.js';
import { TokenUsage } from './ports/token-usage.js';

@Injectable()
export class TokenAuthentication {
  constructor(
    private readonly reader: TokenReader,
    private readonly usage: TokenUsage,
    private readonly clock: Clock,
  ) {}

  /** False for what cannot be a token: wrong form or checksum. No query is made. */
  isPossible(text: string): boolean {
    return ApiToken.parse(text) !== null;
  }

  /** The holder of the token; null if it is not a valid token. A wrong checksum costs no database read. */
  async authenticate(text: string): Promise<TokenHolder | null> {
    const token = ApiToken.parse(text);
    if (!token) return null;
    const holder = await this.reader.findByHash(token.hash);
    if (holder) this.usage.note(holder.tokenId, this.clock.now());
    return holder;
  }
}
