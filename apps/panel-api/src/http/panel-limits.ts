import { Inject, Injectable } from '@nestjs/common';
import { ThrottlerStorage } from '@nestjs/throttler';
import { RateLimited } from '#kernel/errors';
import type { Caller } from '#libs/panel-auth';
import { limitedAddress } from '#platform/http/fastify/client-address';
import type { LimitRecord } from '#platform/limits/gcra-storage';
import { limitState, type LimitState } from '#platform/limits/limit-headers';
import { gcra } from '#platform/limits/limits.module';
import { SlidingWindows } from '#platform/limits/sliding-windows';

const REVEALS_PER_MINUTE = 10;

/** Requests per minute. */
export abstract class PanelRates {
  abstract readonly session: number;
  /** Without credentials, by address. */
  abstract readonly anonymous: number;
  /** Wrong credentials, by address. */
  abstract readonly failure: number;
  /** Legacy sign-ins, by account and address. */
  abstract readonly login: number;
}

/** A request was refused by a limit. `state` is for the rate-limit headers. */
export class LimitExceeded extends RateLimited {
  constructor(
    retryAfterSeconds: number,
    readonly state: LimitState,
  ) {
    super(retryAfterSeconds);
  }
}

/** The rate limits of the panel: a sliding window per key and session, a token bucket per address. */
@Injectable()
export class PanelLimits {
  constructor(
    @Inject(ThrottlerStorage) private readonly storage: ThrottlerStorage,
    @Inject(SlidingWindows) private readonly windows: SlidingWindows,
    @Inject(PanelRates) private readonly rates: PanelRates,
  ) {}

  /** At most the rate in any 60 seconds. Bursts are allowed. */
  async countCaller({ credential }: Caller): Promise<LimitState> {
    const [key, perMinute] =
      credential.kind === 'session'
        ? [`session:${credential.sessionId}`, this.rates.session]
        : [`key:${credential.key.id}`, credential.key.rateLimitRpm];
    const limit = Math.ceil(perMinute);
    return this.stateOf(limit, await this.windows.take(`panel:${key}`, limit));
  }

  /** Revealed passwords, counted per user across all credentials. */
  countReveal({ user }: Caller): Promise<LimitState> {
    return this.count(`reveal:${user.id}`, REVEALS_PER_MINUTE);
  }

  countAnonymous(ip: string): Promise<LimitState> {
    return this.count(`anonymous:${limitedAddress(ip)}`, this.rates.anonymous);
  }

  countFailure(ip: string): Promise<LimitState> {
    return this.count(`credential-failure:${limitedAddress(ip)}`, this.rates.failure);
  }

  /** Normalises the account name as the sign-in does, so that spelling variants share one limit. */
  countLogin(ip: string, account: string): Promise<LimitState> {
    return this.count(`login:${limitedAddress(ip)}:${account.trim().toLowerCase()}`, this.rates.login);
  }

  /** @throws LimitExceeded */
  private async count(key: string, perMinute: number): Promise<LimitState> {
    const { ttl, limit } = gcra({ perSecond: perMinute / 60, burst: Math.ceil(perMinute) });
    return this.stateOf(limit, await this.storage.increment(`panel:${key}`, ttl, limit, 0, 'panel'));
  }

  private stateOf(limit: number, record: LimitRecord): LimitState {
    const state = limitState(limit, record);
    if (record.isBlocked) throw new LimitExceeded(record.timeToBlockExpire, state);
    return state;
  }
}
