import { connect } from 'node:net';
import { Directory } from '#libs/panel-auth';
import { OpenSockets } from '../../../../apps/panel-api/src/realtime/socket/open-sockets.js';
import { aCustomer, aKey, anAdminKey, aPanelUser, aSessionCookie } from '../../../support/builders/a-panel-user.js';
import { eventually } from '../../../support/docker/eventually.js';
import type { RunningPanelApi } from '../../../support/panel-api.js';
import { ShiftedClock } from '../../../support/fixed-clock.js';
import { limitsOf, RealtimePanel } from '../../../support/realtime/realtime-panel.js';
import { SocketClient } from '../../../support/realtime/socket-client.js';

/** A second, and more for a busy machine. */
const WITHIN_MS = 1_500;

describe('sockets of /ws', () => {
  const clock = new ShiftedClock();
  let panel: RealtimePanel;
  let api: RunningPanelApi;
  let key: string;

  beforeAll(async () => {
    panel = await RealtimePanel.start(clock);
    ({ api, key } = panel);
  });
  afterEach(() => panel.closeSockets());
  afterAll(() => api?.close());

  const limits = () => limitsOf(api.app);

  describe('are opened for', () => {
    it('a key, with a greeting that contains its identity and permissions', async () => {
      const hello = (await panel.greeted()).messages[0]!;
      expect(hello).toMatchObject({ v: 1, type: 'hello', ts: expect.stringMatching(/Z$/) });
      expect(hello.data).toMatchObject({ role: 'admin', credential: 'api-key', organisationId: null });
      expect(hello.data.limits).toMatchObject({ messageBytes: 16_384, heartbeatSeconds: 30, ring: 500 });
    });

    it('a session from a page of the panel or an allowed origin, and from no other', async () => {
      const cookie = await aSessionCookie(api.app, await aPanelUser(api.app, 'admin'));
      for (const origin of [api.url, 'https://portal.example.com']) {
        expect((await panel.greeted({ cookie, origin })).messages[0]!.data.credential).toBe('session');
      }
      const others = ['https://evil.example.com', 'null', `${api.url}.evil.example.com`, 'http://127.0.0.1'];
      for (const origin of [...others, undefined]) {
        const { status, body } = await SocketClient.refusal(api.url, { cookie, ...(origin ? { origin } : {}) });
        expect([origin, status, body.error.code]).toEqual([origin, 403, 'origin_rejected']);
      }
    });

    it('a key in the first message, within the time limit', async () => {
      const client = await panel.open();
      expect((await client.ask({ type: 'subscribe', channel: 'services' })).data.code).toBe('unauthorized');
      client.send({ type: 'auth', token: key });
      await client.next('hello');
      expect((await client.subscribe('services')).type).toBe('subscribed');
      expect((await client.ask({ type: 'auth', token: key })).data.code).toBe('conflict');
      expect(api.logs()).not.toContain(key);
    });

    it('nobody else: not without a key, with a wrong one or with a token in the query', async () => {
      limits().authentication = 50;
      const silent = await panel.open();
      expect((await silent.closed()).code).toBe(4401);
      limits().authentication = 5_000;
      const wrong = await panel.open();
      wrong.send({ type: 'auth', token: `${key.slice(0, -1)}x` });
      expect((await wrong.closed()).code).toBe(4401);
      expect(wrong.of('error')[0]!.data.code).toBe('unauthorized');
      const refused = [
        { path: `/ws?token=${key}` },
        { path: `/ws?anything=${key}` },
        { key: 'pk_wrong' },
        { headers: { authorization: `Basic ${key}` } },
      ];
      for (const options of refused) {
        const { status, body } = await SocketClient.refusal(api.url, options);
        expect([status, body.error.code]).toEqual([401, 'unauthorized']);
      }
      expect(api.logs()).not.toContain(key);
    });

    it('a key although the session in the request has ended', async () => {
      const user = await aPanelUser(api.app, 'admin');
      const client = await panel.open({ cookie: 'oidc_session=gone', origin: api.url });
      client.send({ type: 'auth', token: await aKey(api.app, user) });
      expect((await client.next('hello')).data.user.id).toBe(user.id);
    });

    it('nobody without the permission to watch or without an organisation', async () => {
      const { user } = await aCustomer(api.app);
      const { user: homeless, organisation } = await aCustomer(api.app);
      const keys = [user, homeless].map((who) => aKey(api.app, who, { scopes: ['secrets:read'] }));
      const [watchesNothing = '', unbound = ''] = await Promise.all(keys);
      await api.app.get(Directory).removeMember(homeless.id, organisation.id);
      for (const [theirs, status, code] of [
        [watchesNothing, 403, 4403],
        [unbound, 404, 4404],
      ] as const) {
        expect((await SocketClient.refusal(api.url, { key: theirs })).status).toBe(status);
        const late = await panel.open();
        late.send({ type: 'auth', token: theirs });
        expect((await late.closed()).code).toBe(code);
      }
    });

    it('requests to /api/v1/ws, which is the same', async () => {
      const client = await SocketClient.greeted(api.url, { key, path: '/api/v1/ws' });
      expect(client.messages[0]!.type).toBe('hello');
      client.ws.close();
    });

    it('no other paths, methods or protocols, which get the usual HTTP answers', async () => {
      const lost = await SocketClient.refusal(api.url, { key, path: '/elsewhere' });
      expect([lost.status, lost.body.error.code, lost.headers['x-request-id']]).toEqual([
        404,
        'not_found',
        lost.body.error.requestId,
      ]);
      const plain = await fetch(`${api.url}/ws`);
      expect([plain.status, plain.headers.get('upgrade')]).toEqual([426, 'websocket']);
      const body = JSON.stringify({ name: 'upgraded', composeYaml: 'services: {web: {image: nginx}}' });
      const answer = await rawHttp(
        api.url,
        `POST /api/v1/services HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nConnection: Upgrade, HTTP2-Settings\r\n` +
          `Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQ\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
        body,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 202 /);
    });
  });

  describe('the end of a socket', () => {
    /** Waits until the socket is closed by the server. */
    const revoke = async (text: string) => {
      const { keys } = (await api.as(text).get('/api/v1/api-keys')).body as { keys: { id: string; prefix: string }[] };
      const own = keys.find(({ prefix }) => text.startsWith(prefix))!;
      expect((await api.as(text).delete(`/api/v1/api-keys/${own.id}`)).status).toBe(204);
    };

    it('comes within a second of a revocation and of a logout', async () => {
      const user = await aPanelUser(api.app, 'admin');
      const first = await aKey(api.app, user);
      const cookie = await aSessionCookie(api.app, user);
      const byKey = await panel.greeted({ key: first });
      const late = await panel.open();
      late.send({ type: 'auth', token: first });
      await late.next('hello');
      const bySession = await panel.greeted({ cookie, origin: api.url });
      await revoke(first);
      const revokedAt = performance.now();
      for (const client of [byKey, late]) {
        const { code, atMs } = await client.closed();
        expect(code).toBe(4401);
        expect(atMs - revokedAt).toBeLessThan(WITHIN_MS);
      }
      expect(bySession.closedWith).toBeNull();
      const loggedOut = await fetch(`${api.url}/api/v1/auth/oidc/logout`, {
        method: 'POST',
        headers: { cookie, origin: api.url },
      });
      expect(loggedOut.status).toBe(200);
      const loggedOutAt = performance.now();
      const { code, atMs } = await bySession.closed();
      expect([code, bySession.of('session.expired').length]).toEqual([4401, 1]);
      expect(atMs - loggedOutAt).toBeLessThan(WITHIN_MS);
    });

    it('comes when the client answers no ping', async () => {
      const [silent, alive] = [await panel.greeted(), await panel.greeted()];
      silent.ws.removeAllListeners('ping');
      (silent.ws as unknown as { _receiver: NodeJS.EventEmitter })._receiver.removeAllListeners('ping');
      const sockets = api.app.get(OpenSockets);
      sockets.beat();
      await alive.settled();
      await new Promise((resolve) => alive.ws.ping(undefined, undefined, resolve));
      await alive.settled();
      sockets.beat();
      expect((await silent.closed()).code).toBe(4408);
      expect(alive.closedWith).toBeNull();
    });

    it('comes with the end of a session when the clock jumps past it, and not for a key', async () => {
      const cookie = await aSessionCookie(api.app, await aPanelUser(api.app, 'admin'));
      const [byKey, bySession] = [await panel.greeted(), await panel.greeted({ cookie, origin: api.url })];
      clock.advance(-86_400_000);
      for (const client of [byKey, bySession]) await client.settled();
      clock.advance(2 * 86_400_000);
      expect((await bySession.closed()).code).toBe(4401);
      await byKey.subscribe('services');
      const { serviceId } = await panel.create();
      await byKey.find(({ data }) => data.serviceId === serviceId);
      clock.advance(-86_400_000);
      await byKey.settled();
    });

    it('comes for too many messages, subscriptions and sockets', async () => {
      const chatty = await panel.greeted();
      for (let index = 0; index < 200; index += 1) chatty.send({ type: 'ping' });
      expect((await chatty.closed()).code).toBe(4429);
      const before = { ...limits() };
      limits().subscriptions = 2;
      const greedy = await panel.greeted();
      await greedy.subscribe('services');
      await greedy.subscribe('services');
      for (let index = 0; index < 2; index += 1)
        greedy.send({ type: 'subscribe', channel: `service:${(await panel.create()).serviceId}` });
      expect((await greedy.closed()).code).toBe(4429);
      limits().socketsPerCredential = 1;
      const own = await anAdminKey(api.app);
      await panel.greeted({ key: own });
      const refused = await SocketClient.refusal(api.url, { key: own });
      expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limited']);
      expect(refused.headers['retry-after']).toBeDefined();
      const late = await panel.open();
      late.send({ type: 'auth', token: own });
      expect((await late.closed()).code).toBe(4429);
      Object.assign(limits(), before);
    });
  });

  it('survive hostile frames on other sockets', async () => {
    const bystander = await panel.greeted();
    const nested = `${'['.repeat(8_000)}${']'.repeat(8_000)}`;
    const texts = [
      'not json',
      '[]',
      'null',
      '"subscribe"',
      '{}',
      '{"type":"__proto__"}',
      '{"__proto__":{"type":"ping"}}',
      '{"constructor":{"prototype":{"x":1}},"type":"subscribe"}',
      '{"type":"subscribe","channel":{"toString":1}}',
      '{"type":"subscribe","channel":"services","since":-1}',
      '{"type":"subscribe","channel":"services","since":1e400}',
      '{"type":"subscribe","channel":"services","tail":1001}',
      '{"type":"subscribe","channel":"service:__proto__"}',
      '{"type":"subscribe","channel":"analysis:8d3c1f0e-0000-4000-8000-000000000000"}',
      `{"type":"ping","id":"${'x'.repeat(65)}"}`,
      '{"v":2,"type":"ping"}',
      nested,
    ];
    const client = await panel.greeted();
    for (const text of texts) client.ws.send(text);
    await eventually(
      () => Promise.resolve(client.of('error').length),
      (count) => count === texts.length,
    );
    expect(new Set(client.of('error').map(({ data }) => data.code))).toEqual(
      new Set(['bad_request', 'validation_failed', 'not_found']),
    );
    expect(client.of('error').find(({ data }) => data.message.includes('tail'))!.data.details).toEqual([
      expect.objectContaining({ path: '/tail' }),
    ]);
    const codes = client
      .of('error')
      .flatMap(({ data }) => (data.details ?? []).map(({ code }: { code: string }) => code));
    expect(codes).toContain('invalid_format');
    expect(codes).not.toContain('validation_failed');

    const ends: [number, (socket: SocketClient) => void][] = [
      [1003, (socket) => socket.ws.send(Buffer.from([1, 2, 3]))],
      [1009, (socket) => socket.ws.send('x'.repeat(20_000))],
      [1007, (socket) => socket.ws.send(Buffer.from([0xff, 0xfe]), { binary: false })],
      [1002, (socket) => (socket.ws as any)._socket.write(Buffer.from([0xff, 0xff, 0, 0, 0, 0, 0]))],
    ];
    for (const [code, attack] of ends) {
      const attacker = await panel.greeted();
      attack(attacker);
      expect((await attacker.closed()).code).toBe(code);
    }
    await bystander.settled();
  });
});

/** The answer to bytes that no client would send. The body arrives in a separate packet. */
function rawHttp(url: string, head: string, body: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => {
      socket.write(head);
      setTimeout(() => socket.write(body), 30);
    });
    socket.on('data', (chunk) => {
      text += chunk.toString();
      socket.end();
    });
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}
