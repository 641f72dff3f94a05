import type { HostName } from '../../libs/services/src/domain/domains/host-name.js';
import { askCaddy } from '../support/ingress/caddy-client.js';
import { CaddyServer, describeWithCaddy } from '../support/ingress/caddy.js';
import { aRoute, configOf, ingressAt, untilCertified } from '../support/ingress/ingress-at.js';
import { UpstreamServer } from '../support/ingress/upstream-server.js';

describeWithCaddy('a Caddy that somebody else has set up', () => {
  let caddy: CaddyServer;
  let upstream: UpstreamServer;

  beforeAll(async () => {
    const foreign = (https: number) => ({
      listen: [`127.0.0.1:${https}`],
      routes: [{ match: [{ host: ['foreign.test'] }], handle: [{ handler: 'static_response', body: 'foreign' }] }],
      automatic_https: { disable_redirects: true },
    });
    const policies = [{ issuers: [{ module: 'internal', lifetime: '24h' }] }];
    [caddy, upstream] = await Promise.all([
      CaddyServer.start({
        socket: true,
        config: ([, http, https]) => ({
          apps: {
            pki: { certificate_authorities: { local: { install_trust: false, name: 'Foreign' } } },
            tls: { automation: { policies } },
            http: { http_port: http, https_port: https, servers: { panel: foreign(https!) } },
          },
        }),
      }),
      UpstreamServer.start('ours'),
    ]);
  });

  afterAll(async () => {
    await Promise.all([caddy?.remove(), upstream?.stop()]);
  });

  it('keeps its own sites, server and policies, and gets our routes beside them, by its unix socket', async () => {
    const ingress = ingressAt(caddy, {
      tls: 'automatic',
      acmeEmail: 'ops@example.com',
      acmeDirectory: 'https://ca.test/dir',
    });
    const routes = [
      aRoute('ours.apps.test', { port: upstream.port, tls: 'internal' }),
      aRoute('acme.apps.test', { port: upstream.port }),
    ];
    await ingress.apply(() => Promise.resolve(routes));
    await untilCertified(ingress, 'ours.apps.test');
    expect((await askCaddy(caddy, 'foreign.test')).text).toBe('foreign');
    expect(JSON.parse((await askCaddy(caddy, 'ours.apps.test')).text).name).toBe('ours');
    const { apps } = await configOf(caddy);
    expect(Object.keys(apps.http.servers).sort()).toEqual(['panel', 'tenantry-http']);
    expect(apps.pki.certificate_authorities.local).toEqual({ install_trust: false, name: 'Foreign' });
    // Whether they are `on_demand` depends on the version of the Caddy that is installed.
    const policies = apps.tls.automation.policies as object[];
    expect(policies.map((policy) => ({ ...policy, on_demand: undefined }))).toEqual([
      { '@id': 'tenantry-tls-internal', subjects: ['ours.apps.test'], issuers: [{ module: 'internal' }] },
      {
        '@id': 'tenantry-tls-automatic',
        subjects: ['acme.apps.test'],
        issuers: [{ module: 'acme', email: 'ops@example.com', ca: 'https://ca.test/dir' }],
      },
      { issuers: [{ module: 'internal', lifetime: '24h' }] },
    ]);
    await ingress.apply(() => Promise.resolve([]));
    expect((await askCaddy(caddy, 'foreign.test')).text).toBe('foreign');
    await expect(askCaddy(caddy, 'ours.apps.test')).rejects.toThrow();
  });
});

describeWithCaddy('the panel behind its own Caddy', () => {
  it('is reached by its host, with its cookies', async () => {
    const [caddy, panel] = await Promise.all([CaddyServer.start(), UpstreamServer.start('panel')]);
    try {
      const site = { host: 'panel.test' as HostName, upstream: `127.0.0.1:${panel.port}` };
      const ingress = ingressAt(caddy, { ownSites: [site] });
      await ingress.apply(() => Promise.resolve([]));
      await untilCertified(ingress, site.host);
      const { text } = await askCaddy(caddy, 'panel.test', { headers: { cookie: 'oidc_session=kept' } });
      expect(JSON.parse(text)).toMatchObject({ name: 'panel', headers: { cookie: 'oidc_session=kept' } });
      const { status, headers } = await askCaddy(caddy, 'panel.test', { scheme: 'http' });
      expect([status, headers.location]).toEqual([308, `https://panel.test:${caddy.httpsPort}/`]);
    } finally {
      await Promise.all([caddy.remove(), panel.stop()]);
    }
  });
});
