import * as oidc from 'openid-client';
import { CLIENT, OidcProvider } from '../../test/support/sign-in/oidc-provider.js';
import { freePort } from '../lib/free-port.js';
import { compare, median, timed } from '../lib/rounds.js';
import type { Measured, Row } from '../lib/row.js';
import { walkToCallback } from '../lib/sign-in-walk.js';
import type { Stage } from '../lib/stage.js';

const ACCOUNT = 'ada';
/** Number of sign-ins for the median; only the callback is measured. */
const SIGN_INS = 15;
const NO_LIMIT = '1000000';

/** The callback over HTTP: code redeemed, claims checked, user found or created, session stored, cookie set. */
export const signInCallback: Row = {
  number: '24',
  work: 'OIDC callback, one at a time',
  unit: 'ms',
  baseline: 'openid-client alone: the exchange of the code, the keys of the provider and the checks',
  better: 'lower',
  floor: 2,
  ambitious: 1.2,
  async run(stage) {
    const port = await freePort();
    const redirectUri = `http://127.0.0.1:${port}/api/v1/auth/oidc/callback`;
    const provider = await OidcProvider.start({ [ACCOUNT]: { email: 'ada@example.com' } }, redirectUri);
    try {
      const panel = await stage.startPanel({ port, settings: settingsFor(provider.issuer, redirectUri) });
      try {
        return await measure(stage, provider, redirectUri);
      } finally {
        await panel.stop();
      }
    } finally {
      await provider.stop();
    }
  },
};

async function measure(stage: Stage, provider: OidcProvider, redirectUri: string): Promise<Measured> {
  const insecure = { execute: [oidc.allowInsecureRequests] };
  const known = await oidc.discovery(new URL(provider.issuer), CLIENT.id, CLIENT.secret, undefined, insecure);
  const walk = (start: URL) => walkToCallback(provider, start, redirectUri, ACCOUNT);
  const ours = async () => {
    const { browser, callback } = await walk(new URL('login', redirectUri));
    return timed(async () => {
      const { status, text } = await browser.visit(callback);
      if (status !== 302 || !browser.cookie('oidc_session')) throw new Error(`no session: ${status} ${text}`);
    });
  };
  const theirs = async () => {
    // All required checks of a sign-in, including the signature against the current keys.
    const config = new oidc.Configuration(known.serverMetadata(), CLIENT.id, CLIENT.secret);
    oidc.allowInsecureRequests(config);
    oidc.enableNonRepudiationChecks(config);
    const pkceCodeVerifier = oidc.randomPKCECodeVerifier();
    const [expectedState, expectedNonce] = [oidc.randomState(), oidc.randomNonce()];
    const start = oidc.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: 'openid email profile',
      code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      state: expectedState,
      nonce: expectedNonce,
    });
    const { callback } = await walk(start);
    const checks = { pkceCodeVerifier, expectedState, expectedNonce };
    return timed(async () => void (await oidc.authorizationCodeGrant(config, callback, checks)));
  };
  return compare(
    stage.options.rounds,
    () => medianOf(ours),
    () => medianOf(theirs),
  );
}

async function medianOf(once: () => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < SIGN_INS; i++) times.push(await once());
  return median(times);
}

function settingsFor(issuer: string, redirectUri: string): Record<string, string> {
  return {
    PANEL_URL: new URL('/', redirectUri).origin,
    PANEL_ANONYMOUS_RPM: NO_LIMIT,
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
    OIDC_REDIRECT_URI: redirectUri,
  };
}
