import type { IngressRoute } from '../../libs/services/src/application/ports/ingress/ingress.js';
import { CaddyServer, describeWithCaddy } from '../support/ingress/caddy.js';
import { askCaddy } from '../support/ingress/caddy-client.js';
import { migrateConnections } from '../support/ingress/connection-migration.js';
import { aRoute, ingressAt } from '../support/ingress/ingress-at.js';
import { UpstreamServer } from '../support/ingress/upstream-server.js';

const HOST = 'busy.apps.test';
const CLIENTS = 8;
const CHANGES = 40;
const BETWEEN_CHANGES_MS = 50;

describeWithCaddy('a Caddy on a machine that is set up as docs/domains.md says', () => {
  let caddy: CaddyServer;
  let upstream: UpstreamServer;

  beforeAll(async () => {
    [caddy, upstream] = await Promise.all([CaddyServer.start(), UpstreamServer.start('busy')]);
  });

  afterAll(async () => {
    await Promise.all([caddy?.remove(), upstream?.stop()]);
  });

  it('resets no connection while its routes change', async () => {
    if (!migrateConnections()) return void process.stderr.write('not tested: connections while routes change\n');
    const ingress = ingressAt(caddy);
    const change = (...more: readonly IngressRoute[]) =>
      ingress.apply(() => Promise.resolve([aRoute(HOST, { port: upstream.port, tls: 'off' }), ...more]));
    await change();

    let ended = false;
    const results: string[] = [];
    const client = async () => {
      while (!ended) {
        const asked = askCaddy(caddy, HOST, { scheme: 'http' });
        results.push(
          await asked.then(
            ({ status }) => String(status),
            (error: Error) => error.message,
          ),
        );
      }
    };
    const clients = Array.from({ length: CLIENTS }, client);
    for (let i = 0; i < CHANGES; i++) {
      await change(aRoute(`other-${i}.apps.test`, { port: upstream.port, tls: 'off' }));
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_CHANGES_MS));
    }
    ended = true;
    await Promise.all(clients);

    expect(results.filter((result) => result !== '200')).toEqual([]);
    expect(results.length).toBeGreaterThan(100);
  }, 60_000);
});
