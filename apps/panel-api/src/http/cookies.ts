import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SecretText } from '#kernel/crypto/secret-text';
import { PanelAuthSettings, type BegunSignIn, type OpenedSession } from '#libs/panel-auth';

export const SESSION_COOKIE = 'oidc_session';

/**
 * Host-only, so no container under a service subdomain is sent it, and none can set it: a session that travels under
 * a cookie domain counts only together with it.
 */
export const BINDING_COOKIE = '__Host-oidc_bind';

const SIGN_IN_COOKIE = '__Host-oidc_tx';
const MAX_SIGN_INS = 5;
const ATTRIBUTES = 'Path=/; HttpOnly; Secure; SameSite=Lax';
const GONE = '; Max-Age=0';

/** The cookies of the panel and their attributes. */
@Injectable()
export class PanelCookies {
  constructor(@Inject(PanelAuthSettings) private readonly settings: PanelAuthSettings) {}

  /**
   * @throws nothing: a request that brings the cookie twice brings none, since one of the two came from somewhere else
   */
  session(request: FastifyRequest): { cookie: SecretText; binding: SecretText | null } | null {
    const [cookie, ...others] = valuesOf(request, SESSION_COOKIE);
    const [binding, ...otherBindings] = valuesOf(request, BINDING_COOKIE);
    if (cookie === undefined || others.length > 0 || otherBindings.length > 0) return null;
    return { cookie: new SecretText(cookie), binding: binding === undefined ? null : new SecretText(binding) };
  }

  /** True when the browser sent a session cookie, whether or not it counts. */
  hasSession(request: FastifyRequest): boolean {
    return valuesOf(request, SESSION_COOKIE).length > 0;
  }

  giveSession(reply: FastifyReply, { cookie, binding }: OpenedSession): void {
    setCookie(reply, SESSION_COOKIE, cookie.reveal(), this.domain);
    if (binding) setCookie(reply, BINDING_COOKIE, binding.reveal());
  }

  clearSession(reply: FastifyReply): void {
    setCookie(reply, SESSION_COOKIE, '', `${this.domain}${GONE}`);
    if (this.domain) setCookie(reply, BINDING_COOKIE, '', GONE);
  }

  /** One cookie per sign-in, so that two tabs can sign in side by side; a browser that piles them up starts afresh. */
  giveSignIn(request: FastifyRequest, reply: FastifyReply, { state, cookie, lifetimeSeconds }: BegunSignIn): void {
    const waiting = pairsOf(request).filter(([name]) => name.startsWith(SIGN_IN_COOKIE));
    if (waiting.length >= MAX_SIGN_INS) for (const [name] of waiting) setCookie(reply, name, '', GONE);
    setCookie(reply, signInCookie(state), cookie, `; Max-Age=${lifetimeSeconds}`);
  }

  signIn(request: FastifyRequest, state: string): string | null {
    const [value, ...others] = valuesOf(request, signInCookie(state));
    return value === undefined || others.length > 0 ? null : value;
  }

  clearSignIn(reply: FastifyReply, state: string): void {
    setCookie(reply, signInCookie(state), '', GONE);
  }

  private get domain(): string {
    return this.settings.cookieDomain === null ? '' : `; Domain=${this.settings.cookieDomain}`;
  }
}

/** Our values are base64url and need no encoding. */
function setCookie(reply: FastifyReply, name: string, value: string, more = ''): void {
  reply.header('set-cookie', `${name}=${value}; ${ATTRIBUTES}${more}`);
}

function signInCookie(state: string): string {
  return `${SIGN_IN_COOKIE}.${state.replace(/[^\w-]/g, '').slice(0, 12)}`;
}

function valuesOf(request: FastifyRequest, name: string): string[] {
  return pairsOf(request).flatMap(([given, value]) => (given === name ? [value] : []));
}

/** Every pair of the header in order, doubles included, which parsers of cookies drop. */
function pairsOf(request: FastifyRequest): [string, string][] {
  return (request.headers.cookie ?? '').split(';').map((pair) => {
    const at = pair.indexOf('=');
    return [pair.slice(0, Math.max(at, 0)).trim(), pair.slice(at + 1).trim()];
  });
}
