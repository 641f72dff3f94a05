import { Inject, Injectable } from '@nestjs/common';
import { ThrottlerStorage } from '@nestjs/throttler';
import type { FastifyReply } from 'fastify';
import { RateLimited, Unauthenticated } from '#kernel/errors';
import { limitedAddress } from '#platform/http/fastify/client-address';
import { InProcessGcraStorage, type LimitRecord } from '#platform/limits/gcra-storage';
import { limitState, setLimitHeaders } from '#platform/limits/limit-headers';
import { gcra } from '#platform/limits/limits.module';

export const AUTH_FAILURE_RATE = Symbol('rate of failed authentications per address');

/** One instance for all refusals, so that a flood of guesses does not create a stack trace each time. */
export const TOKEN_REFUSED = new Unauthenticated('unauthorized', 'A valid API token is required.');

/** Slows down guessing: failed authentications are counted by address, successful ones never. */
@Injectable()
export class AuthFailureThrottle {
  private readonly bucket: { limit: number; ttl: number };

  constructor(
    @Inject(ThrottlerStorage) private readonly storage: ThrottlerStorage,
    @Inject(AUTH_FAILURE_RATE) perSecond: number,
  ) {
    this.bucket = gcra({ perSecond, burst: 1 });
  }

  /** Counts a failure and returns the error to send: `RateLimited` if the address fails more often than allowed. */
  refusalOf(ip: string, reply: FastifyReply): Unauthenticated | RateLimited | Promise<Unauthenticated | RateLimited> {
    const { limit, ttl } = this.bucket;
    const key = `auth-failure:${limitedAddress(ip)}`;
    const refusalAfter = (record: LimitRecord) => {
      setLimitHeaders(reply, limitState(limit, record));
      return record.isBlocked ? new RateLimited(record.timeToBlockExpire) : TOKEN_REFUSED;
    };
    if (this.storage instanceof InProcessGcraStorage) return refusalAfter(this.storage.take(key, ttl, limit));
    return this.storage.increment(key, ttl, limit, 0, 'auth-failure').then(refusalAfter);
  }
}
