import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { ThrottlerStorage } from '@nestjs/throttler';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RateLimited } from '#kernel/errors';
import { limitedAddress } from '#platform/http/fastify/client-address';
import { limitState, setLimitHeaders } from '#platform/limits/limit-headers';
import { gcra } from '#platform/limits/limits.module';

/** Generous: a panel asks a few times a day, and many panels may share one address. */
const RATE = gcra({ perSecond: 10, burst: 20 });

/** Rate limit for callers without credentials: one bucket per address for the routes of the license service. */
@Injectable()
export class ValidationRateGuard implements CanActivate {
  constructor(@Inject(ThrottlerStorage) private readonly storage: ThrottlerStorage) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const { ip } = http.getRequest<FastifyRequest>();
    const name = 'license-validation';
    const hit = await this.storage.increment(`${name}:${limitedAddress(ip)}`, RATE.ttl, RATE.limit, 0, name);
    setLimitHeaders(http.getResponse<FastifyReply>(), limitState(RATE.limit, hit));
    if (hit.isBlocked) throw new RateLimited(hit.timeToBlockExpire);
    return true;
  }
}
