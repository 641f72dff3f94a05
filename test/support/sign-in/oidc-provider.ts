import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:http';
import { exportJWK, generateKeyPair } from 'jose';
import Provider, { type Configuration } from 'oidc-provider';

export interface Account {
  readonly email: string;
  readonly email_verified?: boolean;
  readonly roles?: readonly string[];
}

export const CLIENT = { id: 'panel', secret: 'a-client-secret-nobody-may-see' };

/** A certified OpenID provider. One request signs in: its interaction page with `?as=<account>`. */
export class OidcProvider {
  private constructor(
    readonly issuer: string,
    private readonly server: Server,
  ) {}

  static async start(
    accounts: Readonly<Record<string, Account>>,
    redirectUri: string,
    more: Configuration = {},
  ): Promise<OidcProvider> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const provider = new Provider(issuer, { ...(await configuration(accounts, redirectUri)), ...more });
    provider.use(async (context, next) => {
      const account = new URLSearchParams(context.querystring).get('as');
      if (!context.path.startsWith('/interaction/') || account === null) return next();
      await provider.interactionFinished(context.req, context.res, { login: { accountId: account } });
      context.respond = false;
    });
    const answer = provider.callback();
    server.on('request', (request, response) => void answer(request, response));
    return new OidcProvider(issuer, server);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

async function configuration(accounts: Readonly<Record<string, Account>>, redirectUri: string): Promise<Configuration> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const home = new URL('/', redirectUri).href;
  return {
    jwks: { keys: [{ ...(await exportJWK(privateKey)), use: 'sig', alg: 'RS256', kid: 'test' }] },
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [redirectUri],
        post_logout_redirect_uris: [home],
      },
    ],
    claims: { openid: ['sub', 'roles'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: false,
    cookies: { keys: ['test'] },
    features: { devInteractions: { enabled: false } },
    findAccount: (_context, id) => {
      const account = accounts[id];
      return account && { accountId: id, claims: () => ({ sub: id, email_verified: true, ...account }) };
    },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    loadExistingGrant: async ({ oidc }) => {
      const known = oidc.session!.grantIdFor(CLIENT.id);
      if (known) return oidc.provider.Grant.find(known);
      const grant = new oidc.provider.Grant({ clientId: CLIENT.id, accountId: oidc.session!.accountId! });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
    pkce: { required: () => true },
    ttl: { AccessToken: 3_600, IdToken: 3_600, Session: 3_600, Grant: 3_600, Interaction: 600 },
  };
}
