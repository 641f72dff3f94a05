import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Authentication, InvalidCredential, type Caller } from '#libs/panel-auth';
import { PanelCookies } from '../../http/cookies.js';
import { PanelLimits } from '../../http/panel-limits.js';
import { OriginRejected } from '../../http/same-origin.js';

/** The origins whose pages may open a WebSocket with the session of their browser. */
export const WS_ORIGINS = Symbol('origins that may open a WebSocket');

/** Query parameters in which clients might send a token. That is refused, because URLs end up in logs. */
const TOKEN_NAMES = /^(?:access_?token|token|api_?key|key|auth|authorization|bearer|session|oidc_session)$/i;

/** The caller of a socket, and a way to check its credential again. */
export interface SocketCaller {
  readonly caller: Caller;
  /** @throws InvalidCredential once the credential is revoked or expired */
  readonly renew: () => Promise<Caller>;
}

/** Authenticates sockets with the same credentials as REST, and the same limit on failed attempts. */
@Injectable()
export class SocketAuthentication {
  constructor(
    private readonly authentication: Authentication,
    private readonly cookies: PanelCookies,
    private readonly limits: PanelLimits,
    @Inject(WS_ORIGINS) private readonly origins: ReadonlySet<string>,
  ) {}

  /**
   * Authenticates by the upgrade request. Null without a credential, or with an expired session: the client can then
   * send `auth` as its first message.
   * @throws OriginRejected, InvalidCredential, LimitExceeded
   */
  async atUpgrade(request: FastifyRequest): Promise<SocketCaller | null> {
    const { authorization, origin } = request.headers;
    const hasCookie = this.cookies.hasSession(request);
    // Browsers send the cookie for sockets of any page, but always with the page's origin.
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
