import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { ThrottlerStorage } from '@nestjs/throttler';
import type { FastifyRequest } from 'fastify';
import { RateLimited } from '#kernel/errors';
import { gcra, type Rate } from '#platform/limits/limits.module';
import { tokenHolderOf } from './caller.decorator.js';

export const TOKEN_RATE = Symbol('rate of requests per token');

/**
 * Second of the guards: one bucket per token, whatever the route. Asks the throttler's storage itself: the library's
 * own guard resolves per route and request what is the same for all of them here.
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

  /** @throws RateLimited when the token asks more often than allowed */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const holder = tokenHolderOf(context.switchToHttp().getRequest<FastifyRequest>());
    if (!holder) return true;
    const { limit, ttl } = this.bucket;
    const hit = await this.storage.increment(`token:${holder.tokenId}`, ttl, limit, 0, 'token');
    if (hit.isBlocked) throw new RateLimited(hit.timeToBlockExpire);
    return true;
  }
}
