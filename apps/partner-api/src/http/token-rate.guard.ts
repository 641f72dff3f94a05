import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { ThrottlerStorage } from '@nestjs/throttler';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RateLimited } from '#kernel/errors';
import { InProcessGcraStorage, type LimitRecord } from '#platform/limits/gcra-storage';
import { limitState, setLimitHeaders } from '#platform/limits/limit-headers';
import { gcra, type Rate } from '#platform/limits/limits.module';
import { tokenHolderOf } from './caller.decorator.js';

export const TOKEN_RATE = Symbol('rate of requests per token');

/**
 * The second guard: one bucket per token on all routes. It calls the throttler's storage directly, because the
 * library's own guard would look up the same limit for each route and request.
 */
@Injectable()
export class TokenRateGuard implements CanActivate {
  private readonly bucket: { limit: number; ttl: number };

  constructor(
    @Inject(ThrottlerStorage) private readonly storage: ThrottlerStorage,
    @Inject(TOKEN_RATE) rate: Rate,
  ) {
    this.bucket = gcra(rate);
  }

  /** @throws RateLimited if the token exceeds its rate */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const http = context.switchToHttp();
    const holder = tokenHolderOf(http.getRequest<FastifyRequest>());
    if (!holder) return true;
    const { limit, ttl } = this.bucket;
    const key = `token:${holder.tokenId}`;
    const isWithin = (record: LimitRecord): boolean => {
      setLimitHeaders(http.getResponse<FastifyReply>(), limitState(limit, record));
      if (record.isBlocked) throw new RateLimited(record.timeToBlockExpire);
      return true;
    };
    if (this.storage instanceof InProcessGcraStorage) return isWithin(this.storage.take(key, ttl, limit));
    return this.storage.increment(key, ttl, limit, 0, 'token').then(isWithin);
  }
}
