import type { JWTPayload } from 'jose';
import { accessTokenHash } from '../../../libs/panel-auth/src/infrastructure/oidc/id-token-checks.js';
import type { Misbehaviour } from './rogue-provider.js';

export interface RogueCase {
  readonly name: string;
  readonly misbehaviour?: Misbehaviour;
  /** Changes of the callback's query; undefined removes a parameter. */
  readonly callback?: Record<string, string | undefined>;
  /** Why the sign-in is refused, as the audit log records it. */
  readonly reason: RegExp;
}

const seconds = (honest: JWTPayload, offset: number) => (honest.iat ?? 0) + offset;

export interface HonestCase {
  readonly name: string;
  readonly misbehaviour: Misbehaviour;
  readonly email?: string;
}

/** Correct behaviour of providers that a relying party must accept. */
export const HONEST_CASES: readonly HonestCase[] = [
  { name: 'an RS256 signature', misbehaviour: { algorithm: 'RS256' } },
  { name: 'no key id where one key is published', misbehaviour: { signature: 'no-kid' } },
  {
    name: 'the right at_hash',
    misbehaviour: { claims: () => ({ at_hash: accessTokenHash('an-access-token', 'ES256') }) },
  },
  {
    name: 'a clock that is 30 seconds off',
    misbehaviour: { claims: (honest) => ({ iat: seconds(honest, 30), exp: seconds(honest, -30) }) },
  },
  {
    name: 'the claims of the scopes from userinfo',
    misbehaviour: { claims: () => ({ email: undefined }), userinfo: { email: 'Grace@Example.com' } },
    email: 'grace@example.com',
  },
  {
    name: 'a list of audiences with us as the authorised party',
    misbehaviour: { claims: () => ({ aud: ['panel', 'other'], azp: 'panel' }) },
  },
];

/** Responses that a relying party must refuse: those of the OpenID conformance profile and some more. */
export const ROGUE_CASES: readonly RogueCase[] = [
  { name: 'a nonce of another sign-in', misbehaviour: { claims: () => ({ nonce: 'other' }) }, reason: /comparison/ },
  { name: 'no nonce', misbehaviour: { claims: () => ({ nonce: undefined }) }, reason: /invalid|comparison/ },
  { name: 'another issuer', misbehaviour: { claims: () => ({ iss: 'https://evil.example' }) }, reason: /comparison/ },
  { name: 'no issuer', misbehaviour: { claims: () => ({ iss: undefined }) }, reason: /invalid/ },
  { name: 'another audience', misbehaviour: { claims: () => ({ aud: 'someone-else' }) }, reason: /comparison/ },
  { name: 'no audience', misbehaviour: { claims: () => ({ aud: undefined }) }, reason: /invalid/ },
  {
    name: 'a further audience without an authorised party',
    misbehaviour: { claims: () => ({ aud: ['panel', 'someone-else'] }) },
    reason: /comparison/,
  },
  {
    name: 'a token for another authorised party',
    misbehaviour: { claims: () => ({ aud: ['panel', 'other'], azp: 'other' }) },
    reason: /comparison/,
  },
  { name: 'no subject', misbehaviour: { claims: () => ({ sub: undefined }) }, reason: /invalid/ },
  { name: 'no time of issue', misbehaviour: { claims: () => ({ iat: undefined }) }, reason: /invalid/ },
  {
    name: 'a token issued long ago',
    misbehaviour: { claims: (honest) => ({ iat: seconds(honest, -3_600) }) },
    reason: /too-old/,
  },
  {
    name: 'a token from the future',
    misbehaviour: { claims: (honest) => ({ iat: seconds(honest, 600), exp: seconds(honest, 900) }) },
    reason: /from-the-future/,
  },
  {
    name: 'an expired token',
    misbehaviour: { claims: (honest) => ({ exp: seconds(honest, -120) }) },
    reason: /timestamp/,
  },
  { name: 'no expiry', misbehaviour: { claims: () => ({ exp: undefined }) }, reason: /invalid/ },
  { name: 'an expiry that is not a number', misbehaviour: { claims: () => ({ exp: 'tomorrow' }) }, reason: /invalid/ },
  { name: 'alg none', misbehaviour: { signature: 'none' }, reason: /.+/ },
  { name: 'a symmetric signature', misbehaviour: { signature: 'unlisted-algorithm' }, reason: /.+/ },
  { name: 'a missing signature', misbehaviour: { signature: 'cut-off' }, reason: /.+/ },
  { name: 'a signature that was changed', misbehaviour: { signature: 'changed' }, reason: /.+/ },
  {
    name: 'an RS256 signature that was changed',
    misbehaviour: { signature: 'changed', algorithm: 'RS256' },
    reason: /.+/,
  },
  { name: 'a signature of a key that is not published', misbehaviour: { signature: 'unpublished-key' }, reason: /.+/ },
  {
    name: 'no key id where several keys are published',
    misbehaviour: { signature: 'no-kid', extraKeys: 2 },
    reason: /.+/,
  },
  { name: 'an at_hash of another token', misbehaviour: { claims: () => ({ at_hash: 'AAAA' }) }, reason: /at-hash/ },
  { name: 'an at_hash that is not a string', misbehaviour: { claims: () => ({ at_hash: 1 }) }, reason: /at-hash/ },
  { name: 'no ID token', misbehaviour: { tokenResponse: { id_token: undefined } }, reason: /.+/ },
  { name: 'an ID token that is not a JWT', misbehaviour: { tokenResponse: { id_token: 'a.b.c' } }, reason: /.+/ },
  { name: 'no access token', misbehaviour: { tokenResponse: { access_token: undefined } }, reason: /.+/ },
  { name: 'a negative expires_in', misbehaviour: { tokenResponse: { expires_in: -1 } }, reason: /.+/ },
  {
    name: 'userinfo of another subject',
    misbehaviour: { claims: () => ({ email: undefined }), userinfo: { sub: 'sub-2', email: 'eve@example.com' } },
    reason: /.+/,
  },
  { name: 'no e-mail address anywhere', misbehaviour: { claims: () => ({ email: undefined }) }, reason: /no-email/ },
  { name: 'no iss parameter though it is announced', callback: { iss: undefined }, reason: /.+/ },
  { name: 'the iss parameter of another provider', callback: { iss: 'https://evil.example' }, reason: /.+/ },
  { name: 'no code', callback: { code: undefined }, reason: /.+/ },
  {
    name: 'an error instead of a code',
    callback: { code: undefined, error: 'access_denied' },
    reason: /access_denied/,
  },
  {
    name: 'a code that the provider does not accept',
    misbehaviour: {
      token: (response) =>
        void response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"invalid_grant"}'),
    },
    reason: /invalid_grant/,
  },
];
