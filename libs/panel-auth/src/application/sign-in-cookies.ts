import { Injectable } from '@nestjs/common';
import { SignInRefused } from '../domain/panel-auth-errors.js';
import type { SignInChecks } from './ports/identity-provider.js';
import { Vault } from './ports/vault.js';
import { Sources } from './sources.js';

const LIFETIME_SECONDS = 600;
const COLUMN = 'sign_in_cookie';

export interface RecalledSignIn {
  readonly checks: SignInChecks;
  readonly expiresAt: Date;
}

/**
 * What a browser stores between the start and the end of a sign-in. It is sealed, so the browser can neither read nor
 * change it, and it opens only for its own state.
 */
@Injectable()
export class SignInCookies {
  readonly lifetimeSeconds = LIFETIME_SECONDS;

  constructor(
    private readonly vault: Vault,
    private readonly sources: Sources,
  ) {}

  write({ state, nonce, codeVerifier }: SignInChecks): string {
    const expiresAt = this.sources.clock.now().getTime() + LIFETIME_SECONDS * 1000;
    return this.vault.seal(JSON.stringify({ nonce, codeVerifier, expiresAt }), COLUMN, state).toString('base64url');
  }

  /** @throws SignInRefused if the cookie is missing, too old, or of another sign-in */
  read(state: string | null, cookie: string | null): RecalledSignIn {
    if (!state || !cookie) throw new SignInRefused('not-begun-in-this-browser');
    const text = this.vault.open(Buffer.from(cookie, 'base64url'), COLUMN, state);
    if (text === null) throw new SignInRefused('cookie-of-another-sign-in');
    const { nonce, codeVerifier, expiresAt } = JSON.parse(text) as Record<'nonce' | 'codeVerifier', string> & {
      expiresAt: number;
    };
    if (expiresAt <= this.sources.clock.now().getTime()) throw new SignInRefused('sign-in-took-too-long');
    return { checks: { state, nonce, codeVerifier }, expiresAt: new Date(expiresAt) };
  }
}
