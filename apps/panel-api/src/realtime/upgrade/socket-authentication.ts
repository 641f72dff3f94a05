import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Authentication, InvalidCredential, type Caller } from '#libs/panel-auth';
import { PanelCookies } from '../../http/cookies.js';
import { PanelLimits } from '../../http/panel-limits.js';
import { OriginRejected } from '../../http/same-origin.js';

/** The origins whose pages may open a WebSocket with the session of their browser. */
export const WS_ORIGINS = Symbol('origins that may open a WebSocket');

/** Names under which clients of other services put a token into the query. */
const TOKEN_NAMES = /^(?:access_?token|token|api_?key|key|auth|authorization|bearer|session|oidc_session)$/i;

/** Who has opened a socket, and how to ask again whether it still counts. */
export interface SocketCaller {
  readonly caller: Caller;
  /** @throws InvalidCredential when it counts no longer */
  readonly renew: () => Promise<Caller>;
}

/** Tells whose a socket is, by the same credentials as REST takes and with the same limit on guesses. */
@Injectable()
export class SocketAuthentication {
  constructor(
    private readonly authentication: Authentication,
    private readonly cookies: PanelCookies,
    private readonly limits: PanelLimits,
    @Inject(WS_ORIGINS) private readonly origins: ReadonlySet<string>,
  ) {}

  /**
   * By what the upgrade carries. Null when that is nothing, or a session that has ended: a first message may tell then.
   * @throws OriginRejected, InvalidCredential, LimitExceeded
   */
  async atUpgrade(request: FastifyRequest): Promise<SocketCaller | null> {
    const { authorization, origin } = request.headers;
    const hasCookie = this.cookies.hasSession(request);
    // A page cannot leave its origin out, and the browser sends the cookie whatever page asked for the socket.
    const isForeign = origin === undefined ? authorization === undefined : !this.origins.has(origin);
    if (hasCookie && isForeign) throw new OriginRejected();
    if (hasTokenInQuery(request)) await this.refuse(request.ip);
    if (authorization !== undefined) return this.byToken(bearerOf(authorization), request.ip);
    const presented = this.cookies.session(request);
    if (!presented) return null;
    const renew = () => this.authentication.bySession(presented.cookie, presented.binding);
    return this.counted(renew, request.ip).catch((error: unknown) => {
      if (error instanceof InvalidCredential) return null;
      throw error;
    });
  }

  /** @throws InvalidCredential, LimitExceeded */
  byToken(token: string, ip: string): Promise<SocketCaller> {
    return this.counted(() => this.authentication.byKey(token), ip);
  }

  private async counted(renew: () => Promise<Caller>, ip: string): Promise<SocketCaller> {
    try {
      const caller = await renew();
      await this.limits.countCaller(caller);
      return { caller, renew };
    } catch (error) {
      if (error instanceof InvalidCredential) await this.limits.countFailure(ip);
      throw error;
    }
  }

  private async refuse(ip: string): Promise<never> {
    await this.limits.countFailure(ip);
    throw new InvalidCredential();
  }
}

function bearerOf(authorization: string): string {
  return /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? '';
}

function hasTokenInQuery(request: FastifyRequest): boolean {
  const query = request.query as Record<string, unknown>;
  return Object.entries(query).some(([name, value]) => TOKEN_NAMES.test(name) || String(value).startsWith('pk_'));
}
