import { Inject, Injectable } from '@nestjs/common';
import { ThrottlerStorage } from '@nestjs/throttler';
import { RateLimited } from '#kernel/errors';
import { brakeAddress } from '#platform/http/client-address';
import { gcra } from '#platform/limits/limits.module';

export const AUTH_FAILURE_RATE = Symbol('rate of failed authentications per address');

/** Slows down guessing: failed authentications are counted by address, successful ones never. */
@Injectable()
export class AuthFailureBrake {
  constructor(
    @Inject(ThrottlerStorage) private readonly storage: ThrottlerStorage,
    @Inject(AUTH_FAILURE_RATE) private readonly perSecond: number,
  ) {}

  /** @throws RateLimited when the address fails more often than allowed */
  async count(ip: string): Promise<void> {
    const { ttl, limit } = gcra({ perSecond: this.perSecond, burst: 1 });
    const hit = await this.storage.increment(`auth-failure:${brakeAddress(ip)}`, ttl, limit, 0, 'auth-failure');
    if (hit.isBlocked) throw new RateLimited(hit.timeToBlockExpire);
  }
}
