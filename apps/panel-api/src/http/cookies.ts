import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SecretText } from '#kernel/crypto/secret-text';
import { PanelAuthSettings, type BegunSignIn, type OpenedSession } from '#libs/panel-auth';

export const SESSION_COOKIE = 'oidc_session';

/**
 * A host-only cookie: containers on service subdomains neither receive nor can set it. A session cookie that is shared
 * with subdomains by `Domain` is valid only together with this one.
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
   * The session cookie and its companion. A cookie that occurs twice is ignored, because another site may have set one.
   */
  session(request: FastifyRequest): { cookie: SecretText; binding: SecretText | null } | null {
    const [cookie, ...others] = valuesOf(request, SESSION_COOKIE);
    const [binding, ...otherBindings] = valuesOf(request, BINDING_COOKIE);
    if (cookie === undefined || others.length > 0 || otherBindings.length > 0) return null;
    return { cookie: new SecretText(cookie), binding: binding === undefined ? null : new SecretText(binding) };
  }

  /** True if the browser sent a session cookie, valid or not. */
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

  /**
   * One cookie per sign-in, so that two tabs can sign in at once. When there are too many, the old ones are removed.
   */
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

/** The values are base64url and need no encoding. */
function setCookie(reply: FastifyReply, name: string, value: string, more = ''): void {
  reply.header('set-cookie', `${name}=${value}; ${ATTRIBUTES}${more}`);
}

function signInCookie(state: string): string {
  return `${SIGN_IN_COOKIE}.${state.replace(/[^\w-]/g, '').slice(0, 12)}`;
}

function valuesOf(request: FastifyRequest, name: string): string[] {
  return pairsOf(request).flatMap(([given, value]) => (given === name ? [value] : []));
}

/** All pairs of the header in order. Unlike cookie parsers, this keeps duplicates. */
function pairsOf(request: FastifyRequest): [string, string][] {
  return (request.headers.cookie ?? '').split(';').map((pair) => {
    const at = pair.indexOf('=');
    return [pair.slice(0, Math.max(at, 0)).trim(), pair.slice(at + 1).trim()];
  });
}
