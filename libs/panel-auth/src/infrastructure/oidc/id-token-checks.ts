import { createHash, timingSafeEqual } from 'node:crypto';
import { decodeProtectedHeader } from 'jose';
import { SignInRefused } from '../../domain/panel-auth-errors.js';
import { CLOCK_TOLERANCE_SECONDS } from './oidc-settings.js';

const OLDEST_SECONDS = 600;

/**
 * Checks that openid-client leaves to the application in the code flow: the token was issued just now, and if it names
 * its access token (`at_hash`), it is the right one.
 * @throws SignInRefused
 */
export function assertFreshAndMatching(
  idToken: string,
  claims: { readonly iat: number; readonly at_hash?: unknown },
  accessToken: string,
  now: Date,
): void {
  const age = now.getTime() / 1000 - claims.iat;
  if (age < -CLOCK_TOLERANCE_SECONDS) throw new SignInRefused('id-token-from-the-future');
  if (age > OLDEST_SECONDS) throw new SignInRefused('id-token-too-old');
  if (claims.at_hash === undefined) return;
  const expected = Buffer.from(accessTokenHash(accessToken, decodeProtectedHeader(idToken).alg ?? ''));
  const given = Buffer.from(typeof claims.at_hash === 'string' ? claims.at_hash : '');
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    throw new SignInRefused('at-hash-mismatch');
}

/** The left half of the token's hash, by the hash function of the signature (OpenID Connect Core 3.1.3.6). */
export function accessTokenHash(accessToken: string, algorithm: string): string {
  const size = /^(?:EdDSA|Ed25519)$/.test(algorithm) ? '512' : algorithm.slice(-3);
  const digest = createHash(`sha${size}`).update(accessToken).digest();
  return digest.subarray(0, digest.length / 2).toString('base64url');
}
