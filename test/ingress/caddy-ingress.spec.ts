import http2 from 'node:http2';
import https from 'node:https';
import type { ConnectionOptions } from 'node:tls';
import { WebSocket, type ClientOptions } from 'ws';
import type { IngressRoute } from '../../libs/services/src/application/ports/ingress/ingress.js';
import type { HostName } from '../../libs/services/src/domain/domains/host-name.js';
import { CaddyAdmin } from '../../libs/services/src/infrastructure/caddy/caddy-admin.js';
import type { CaddyIngress } from '../../libs/services/src/infrastructure/caddy/caddy-ingress.js';
import { askCaddy } from '../support/ingress/caddy-client.js';
import { CaddyServer, describeWithCaddy } from '../support/ingress/caddy.js';
import { aRoute, configOf, ingressAt, untilCertified } from '../support/ingress/ingress-at.js';
import { SteadyClient } from '../support/ingress/steady-client.js';
import { UpstreamServer } from '../support/ingress/upstream-server.js';

const MIB = 1024 * 1024;

describeWithCaddy('routes in a Caddy', () => {
  let caddy: CaddyServer;
  let ingress: CaddyIngress;
  let one: UpstreamServer;
  let other: UpstreamServer;

  beforeAll(async () => {
    [caddy, one, other] = await Promise.all([
      CaddyServer.start(),
      UpstreamServer.start('one'),
      UpstreamServer.start('other'),
    ]);
    ingress = ingressAt(caddy);
  });

  afterAll(async () => {
    await Promise.all([caddy?.remove(), one?.stop(), other?.stop()]);
  });

  /** Also waits until each name has its certificate, which Caddy makes in the background. */
  const apply = async (...routes: readonly IngressRoute[]) => {
    await ingress.apply(() => Promise.resolve(routes));
    for (const { host, tls } of routes) if (tls !== 'off') await untilCertified(ingress, host);
  };
  const nameAt = async (host: string) => JSON.parse((await askCaddy(caddy, host)).text).name;

  it('lead each host over HTTPS to its own container', async () => {
    await apply(aRoute('one.apps.test', { port: one.port }), aRoute('other.apps.test', { port: other.port }));
    expect(await nameAt('one.apps.test')).toBe('one');
    expect(await nameAt('other.apps.test')).toBe('other');
  });

  it('tell the container how it was asked, and hide the cookies of the panel from it', async () => {
    await apply(aRoute('one.apps.test', { port: one.port }));
    const cookie =
      'a=1; oidc_session=secret1; b=2; __Host-oidc_bind=secret2; __Host-oidc_tx.abc=secret3; my_oidc_session=3';
    const headers = { cookie, 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'http' };
    const { text } = await askCaddy(caddy, 'one.apps.test', { headers });
    expect(text).not.toContain('secret');
    expect(JSON.parse(text).headers).toMatchObject({
      host: 'one.apps.test',
      cookie: 'a=1; b=2; my_oidc_session=3',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'one.apps.test',
    });
    const alone = await askCaddy(caddy, 'one.apps.test', { headers: { cookie: 'oidc_session=secret' } });
    expect(alone.text).not.toContain('secret');
  });

  it('answer 503 with a plain page where nothing runs', async () => {
    await apply(aRoute('resting.apps.test'));
    const { status, headers, text } = await askCaddy(caddy, 'resting.apps.test');
    expect([status, headers['content-type'], headers['retry-after'], headers['cache-control']]).toEqual([
      503,
      'text/html; charset=utf-8',
      '30',
      'no-store',
    ]);
    expect(text).toContain('This site is not available');
  });

  it('wait a moment for a container that is being started, and answer 502 when it never listens', async () => {
    const late = await UpstreamServer.start('late');
    const { port } = late;
    await late.stop();
    await apply(aRoute('late.apps.test', { port }));
    const began = performance.now();
    const { status, text } = await askCaddy(caddy, 'late.apps.test');
    expect([status, text]).toEqual([502, '502 Bad Gateway\n']);
    expect(performance.now() - began).toBeGreaterThan(2_000);
  });

  it('send plain HTTP to HTTPS, but for names without TLS', async () => {
    await apply(
      aRoute('one.apps.test', { port: one.port }),
      aRoute('plain.apps.test', { port: other.port, tls: 'off' }),
    );
    const redirect = await askCaddy(caddy, 'one.apps.test', { scheme: 'http', path: '/a?b=c' });
    expect([redirect.status, redirect.headers.location]).toEqual([
      308,
      `https://one.apps.test:${caddy.httpsPort}/a?b=c`,
    ]);
    const plain = await askCaddy(caddy, 'plain.apps.test', { scheme: 'http' });
    expect(JSON.parse(plain.text).name).toBe('other');
    await expect(askCaddy(caddy, 'plain.apps.test')).rejects.toThrow(/alert|socket/);
  });

  it('know no name that nobody has, whatever the request says of its host', async () => {
    await apply(aRoute('one.apps.test', { port: one.port }));
    expect(await askCaddy(caddy, 'nobody.apps.test', { scheme: 'http' })).toMatchObject({ status: 404 });
    await expect(askCaddy(caddy, 'nobody.apps.test')).rejects.toThrow(/alert|socket/);
    const mixed = await askCaddy(caddy, 'one.apps.test', { hostHeader: 'panel.test' });
    expect([mixed.status, mixed.text]).not.toEqual([200, expect.anything()]);
    expect(mixed.text).not.toContain('"name"');
  });

  it('pass bodies of 64 MB and answers that come in parts', async () => {
    await apply(aRoute('one.apps.test', { port: one.port }));
    const { status, text } = await askCaddy(caddy, 'one.apps.test', {
      method: 'POST',
      body: Buffer.alloc(64 * MIB, 7),
    });
    expect([status, JSON.parse(text).bytes]).toEqual([200, 64 * MIB]);
    const parts: [string, number][] = [];
    await new Promise<void>((resolve, reject) => {
      const options = { host: '127.0.0.1', port: caddy.httpsPort, servername: 'one.apps.test', agent: false as const };
      https
        .get(
          { ...options, path: '/stream', headers: { host: 'one.apps.test' }, ca: caddy.rootCertificate() },
          (response) => {
            response.on('data', (chunk: Buffer) => parts.push([chunk.toString(), performance.now()]));
            response.on('end', resolve);
          },
        )
        .on('error', reject);
    });
    expect(parts.map(([part]) => part)).toEqual(['first', 'last']);
    expect(parts[1]![1] - parts[0]![1]).toBeGreaterThan(300);
  });

  it('switch from container to container without a failed request, while the old ones end soon after it', async () => {
    let current = await UpstreamServer.start('first');
    await apply(aRoute('steady.apps.test', { port: current.port }));
    const client = new SteadyClient(caddy, 'steady.apps.test');
    client.start();
    for (let change = 0; change < 20; change++) {
      const next = await UpstreamServer.start(`change ${change}`);
      await apply(aRoute('steady.apps.test', { port: next.port }));
      // A request that Caddy accepted before may reach the old container only now; the panel leaves it a second.
      await new Promise((resolve) => setTimeout(resolve, 150));
      await current.endGracefully();
      current = next;
    }
    const { answered, failures } = await client.stop();
    await current.stop();
    expect(failures).toEqual([]);
    expect(answered).toBeGreaterThan(10);
  });

  it('speak HTTP/2 and offer HTTP/3', async () => {
    await apply(aRoute('one.apps.test', { port: one.port }));
    const session = http2.connect(`https://127.0.0.1:${caddy.httpsPort}`, {
      ca: caddy.rootCertificate(),
      servername: 'one.apps.test',
    });
    const headers = await new Promise<http2.IncomingHttpHeaders>((resolve, reject) => {
      session.on('error', reject);
      const stream = session.request({ ':authority': 'one.apps.test' });
      stream.on('response', resolve);
      stream.on('error', reject);
      stream.resume();
    });
    session.destroy();
    expect(headers[':status']).toBe(200);
    expect(headers['alt-svc']).toContain('h3=');
  });

  it('pass WebSockets', async () => {
    await apply(aRoute('one.apps.test', { port: one.port }));
    // The type of the options of `ws` leaves out what it hands to TLS.
    const options: ClientOptions & ConnectionOptions = {
      servername: 'one.apps.test',
      headers: { host: 'one.apps.test' },
      ca: caddy.rootCertificate(),
    };
    const socket = new WebSocket(`wss://127.0.0.1:${caddy.httpsPort}/ws`, options);
    const reply = await new Promise<string>((resolve, reject) => {
      socket.on('error', reject);
      socket.on('open', () => socket.send('hello'));
      socket.on('message', (data: Buffer) => resolve(data.toString()));
    });
    socket.terminate();
    expect(reply).toBe('one: hello');
  });

  it('tell when the certificate of a name ends, and of no name without one', async () => {
    await apply(aRoute('one.apps.test', { port: one.port }));
    await askCaddy(caddy, 'one.apps.test');
    const end = await ingress.certificateExpiresAt('one.apps.test' as HostName);
    expect(end!.getTime()).toBeGreaterThan(Date.now());
    expect(await ingress.certificateExpiresAt('nobody.apps.test' as HostName)).toBeNull();
  });

  it('change nothing when nothing has changed', async () => {
    const routes = [aRoute('one.apps.test', { port: one.port })];
    await ingress.apply(() => Promise.resolve(routes));
    const before = await new CaddyAdmin(caddy.endpoint).read();
    await ingress.apply(() => Promise.resolve(routes));
    expect((await new CaddyAdmin(caddy.endpoint).read()).etag).toBe(before.etag);
    expect(await ingress.isUntouched()).toBe(true);
  });

  it('stay as they are when they cannot be made out', async () => {
    await apply(aRoute('one.apps.test', { port: one.port }));
    await expect(ingress.apply(() => Promise.reject(new Error('the engine is away')))).rejects.toThrow('is away');
    await expect(
      apply(aRoute('one.apps.test', { upstream: { address: 'not a dial', port: one.port } })),
    ).rejects.toThrow('no address of a container');
    expect(await nameAt('one.apps.test')).toBe('one');
  });

  it('come back after a kill, after the loss of what Caddy remembered, and after somebody has deleted them', async () => {
    const routes = [aRoute('one.apps.test', { port: one.port })];
    const made = () => apply(...routes);
    await made();
    await caddy.kill();
    await expect(made()).rejects.toThrow('Caddy is not responding');
    await caddy.start();
    await made();
    expect(await nameAt('one.apps.test')).toBe('one');
    await caddy.kill();
    await caddy.start(false);
    expect(await ingress.isUntouched()).toBe(false);
    await made();
    expect(await nameAt('one.apps.test')).toBe('one');
    await fetch(`${caddy.adminUrl}/config/apps`, { method: 'DELETE' });
    expect(await ingress.isUntouched()).toBe(false);
    await expect(askCaddy(caddy, 'one.apps.test')).rejects.toThrow();
    await made();
    expect(await nameAt('one.apps.test')).toBe('one');
  });

  it('are those of the newest state, however many workers write at once', async () => {
    let state: IngressRoute[] = [];
    const workers = [ingress, ingressAt(caddy), ingressAt(caddy)];
    await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        state = [...state, aRoute(`race-${index}.apps.test`, { port: one.port })];
        await workers[index % 3]!.apply(() => Promise.resolve(state));
      }),
    );
    const config = await configOf(caddy);
    const routes: { match?: { host: string[] }[] }[] = config.apps.http.servers['tenantry-https'].routes;
    const hosts = routes.flatMap(({ match }) => match?.[0]?.host ?? []);
    expect(hosts).toEqual(state.map(({ host }) => host));
    expect(await ingress.isUntouched()).toBe(true);
  });
});
