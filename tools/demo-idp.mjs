/**
 * A local OpenID provider for trying browser sign-in: two accounts, one click each, no password. `npm start` starts it
 * and passes its client and addresses through the environment. Never in production.
 */
import './lib/install/node-version.mjs';
import { randomBytes } from 'node:crypto';
import { exportJWK, generateKeyPair } from 'jose';
import Provider from 'oidc-provider';
import { ACCOUNTS, claimsOf } from './lib/instance/demo-accounts.mjs';
import { signInPage } from './lib/instance/sign-in-page.mjs';

const { NODE_ENV, IDP_PORT, OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_REDIRECT_URI, PANEL_URL } =
  process.env;
if (NODE_ENV === 'production') {
  process.stderr.write('identity-provider: anybody may sign in here, so it never runs with NODE_ENV=production\n');
  process.exit(1);
}

const SIGNED_IN_SECONDS = 8 * 60 * 60;

/** A key for this run only, because the provider's quick-start key is public. */
const { privateKey } = await generateKeyPair('RS256', { extractable: true });

const provider = new Provider(OIDC_ISSUER, {
  clients: [
    {
      client_id: OIDC_CLIENT_ID,
      client_secret: OIDC_CLIENT_SECRET,
      redirect_uris: [OIDC_REDIRECT_URI],
      post_logout_redirect_uris: [PANEL_URL, `${PANEL_URL}/`],
      grant_types: ['authorization_code', 'refresh_token'],
    },
  ],
  claims: { openid: ['sub', 'roles'], email: ['email', 'email_verified'], profile: ['name'] },
  conformIdTokenClaims: false, // all claims in the ID token too
  cookies: { keys: [randomBytes(32).toString('hex')] },
  features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: true, logoutSource: signOutAtOnce } },
  findAccount: (_, id) => (ACCOUNTS[id] ? { accountId: id, claims: () => claimsOf(id) } : undefined),
  interactions: { url: (_, interaction) => `/sign-in/${interaction.uid}` },
  jwks: { keys: [{ ...(await exportJWK(privateKey)), use: 'sig', alg: 'RS256' }] },
  loadExistingGrant: grantWhatIsAsked,
  pkce: { required: () => true },
  ttl: {
    AccessToken: SIGNED_IN_SECONDS,
    IdToken: SIGNED_IN_SECONDS,
    Session: SIGNED_IN_SECONDS,
    Grant: SIGNED_IN_SECONDS,
  },
});

/** The panel is a first-party client, so no consent is needed. */
async function grantWhatIsAsked({ oidc }) {
  const grant = new provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
  grant.addOIDCScope('openid email profile offline_access');
  await grant.save();
  return grant;
}

/** Logs out without a confirmation page. */
function signOutAtOnce(ctx, form) {
  ctx.body = `<!doctype html><title>Signing out</title>${form}<script>
    const yes = document.createElement('input'); yes.type = 'hidden'; yes.name = 'logout'; yes.value = 'yes';
    document.forms[0].append(yes); document.forms[0].submit();
  </script>`;
}

provider.use(async (ctx, next) => {
  if (!ctx.path.startsWith('/sign-in/')) return next();
  const account = new URLSearchParams(ctx.querystring).get('account');
  if (ctx.method === 'POST' && ACCOUNTS[account]) {
    await provider.interactionFinished(ctx.req, ctx.res, { login: { accountId: account } });
    ctx.respond = false;
    return;
  }
  const { uid } = await provider.interactionDetails(ctx.req, ctx.res);
  ctx.type = 'html';
  ctx.body = signInPage(uid);
});

const server = provider.listen(Number(IDP_PORT), '127.0.0.1');
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    server.close(() => process.exit(0));
    server.closeAllConnections();
  });
