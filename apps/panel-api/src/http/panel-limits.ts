import { Inject, Injectable } from '@nestjs/common';
import { ThrottlerStorage } from '@nestjs/throttler';
import { RateLimited } from '#kernel/errors';
import type { Caller } from '#libs/panel-auth';
import { brakeAddress } from '#platform/http/fastify/client-address';
import { gcra } from '#platform/limits/limits.module';

/** Requests a minute. */
export abstract class PanelRates {
  abstract readonly session: number;
  /** Without credentials, by address. */
  abstract readonly anonymous: number;
  /** Wrong credentials, by address. */
  abstract readonly failure: number;
  /** Legacy sign-ins, by account and address. */
  abstract readonly login: number;
}

/** Where a caller stands in its limit, as the RateLimit headers tell it. */
export interface LimitState {
  readonly perMinute: number;
  readonly remaining: number;
  /** Seconds until the whole limit is free again. */
  readonly resetSeconds: number;
}

/** A request that is refused by a limit; it carries the state for the headers. */
export class LimitExceeded extends RateLimited {
  constructor(
    retryAfterSeconds: number,
    readonly state: LimitState,
  ) {
    super(retryAfterSeconds);
  }
}

/** The limits of the panel, each a token bucket. */
@Injectable()
export class PanelLimits {
  constructor(
    @Inject(ThrottlerStorage) private readonly storage: ThrottlerStorage,
    @Inject(PanelRates) private readonly rates: PanelRates,
  ) {}

  /** A key may burst by a quarter of its rate, at least by 10, never by more than a minute's worth. */
  countCaller({ credential }: Caller): Promise<LimitState> {
    if (credential.kind === 'session') return this.count(`session:${credential.sessionId}`, this.rates.session);
    const { id, rateLimitRpm } = credential.key;
    const burst = Math.min(rateLimitRpm, Math.max(10, Math.floor(rateLimitRpm / 4)));
    return this.count(`key:${id}`, rateLimitRpm, burst);
  }

  countAnonymous(ip: string): Promise<LimitState> {
    return this.count(`anonymous:${brakeAddress(ip)}`, this.rates.anonymous);
  }

  countFailure(ip: string): Promise<LimitState> {
    return this.count(`credential-failure:${brakeAddress(ip)}`, this.rates.failure);
  }

  /** An address counts as one account however it is written, as the sign-in itself reads it. */
  countLogin(ip: string, account: string): Promise<LimitState> {
    return this.count(`login:${brakeAddress(ip)}:${account.trim().toLowerCase()}`, this.rates.login);
  }

  /** @throws LimitExceeded */
  private async count(key: string, perMinute: number, burst = Math.ceil(perMinute)): Promise<LimitState> {
    const { ttl, limit } = gcra({ perSecond: perMinute / 60, burst });
    const hit = await this.storage.increment(`panel:${key}`, ttl, limit, 0, 'panel');
    const state = {
      perMinute: Math.ceil(perMinute),
      remaining: Math.max(0, limit - hit.totalHits),
      resetSeconds: hit.timeToExpire,
    };
    if (hit.isBlocked) throw new LimitExceeded(hit.timeToBlockExpire, { ...state, remaining: 0 });
    return state;
  }
}
