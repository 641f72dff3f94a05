import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { DataSource } from 'typeorm';

import { RealtimeLimits } from '../../../apps/panel-api/src/realtime/realtime-limits.js';
import { OpenSockets } from '../../../apps/panel-api/src/realtime/socket/open-sockets.js';
import { SERVER_TYPES } from '../../../apps/panel-api/src/realtime/protocol/server-message.js';
import {
  aCustomer,
  aKey,
  anAdminKey,
  anOrganisation,
  aPanelUser,
  aSessionCookie,
} from '../../support/builders/a-panel-user.js';
import { eventually } from '../../support/docker/eventually.js';
import type { HttpClient } from '../../support/http-client.js';
import { startPanelApi, type RunningPanelApi } from '../../support/panel-api.js';
import { SocketClient, type SocketOptions } from '../../support/realtime/socket-client.js';

/** A second, and what a busy machine may add. */
const WITHIN_MS = 1_500;
const COMPOSE = 'services:\n  web:\n    image: nginx:1.27\n';
const settings = { DOCKER_HOST: 'unix:///nowhere/docker.sock', WS_ALLOWED_ORIGINS: 'https://portal.example.com' };

describe('/ws', () => {
  let api: RunningPanelApi;
  let key: string;
  let admin: HttpClient;
  const clients: SocketClient[] = [];
  let names = 0;

  beforeAll(async () => {
    api = await startPanelApi({ settings });
    key = await anAdminKey(api.app);
    admin = api.as(key);
  });
  afterEach(() => Promise.all(clients.splice(0).map((client) => client.close())));
  afterAll(() => api.close());

  const open = async (options: SocketOptions = {}, url = api.url) => {
    const client = await SocketClient.open(url, options);
    clients.push(client);
    return client;
  };
  const greeted = async (options: SocketOptions = { key }, url = api.url) => {
    const client = await open(options, url);
    await client.next('hello');
    return client;
  };
  const create = async (given: object = {}) => {
    const answer = await admin.post('/api/v1/services', { name: `live ${++names}`, composeYaml: COMPOSE, ...given });
    expect(answer.status).toBe(202);
    return answer.body as { serviceId: string; deploymentId: string };
  };
  const limits = () => api.app.get(RealtimeLimits) as { -readonly [K in keyof RealtimeLimits]: RealtimeLimits[K] };

  describe('who is let in', () => {
    it('a key: it is greeted with whom it is taken for and what it may do', async () => {
      const hello = (await greeted()).messages[0]!;
      expect(hello).toMatchObject({ v: 1, type: 'hello', ts: expect.stringMatching(/Z$/) });
      expect(hello.data).toMatchObject({ role: 'admin', credential: 'api-key', organisationId: null });
      expect(hello.data.limits).toMatchObject({ messageBytes: 16_384, heartbeatSeconds: 30, ring: 500 });
    });

    it('a session of a page of the panel or of an allowed origin, and of no other', async () => {
      const cookie = await aSessionCookie(api.app, await aPanelUser(api.app, 'admin'));
      for (const origin of [api.url, 'https://portal.example.com']) {
        expect((await greeted({ cookie, origin })).messages[0]!.data.credential).toBe('session');
      }
      const others = ['https://evil.example.com', 'null', `${api.url}.evil.example.com`, 'http://127.0.0.1'];
      for (const origin of [...others, undefined]) {
        const { status, body } = await SocketClient.refusal(api.url, { cookie, ...(origin ? { origin } : {}) });
        expect([origin, status, body.error.code]).toEqual([origin, 403, 'origin_rejected']);
      }
    });

    it('a first message with a key, within its time', async () => {
      const client = await open();
      expect((await client.ask({ type: 'subscribe', channel: 'services' })).data.code).toBe('unauthorized');
      client.send({ type: 'auth', token: key });
      await client.next('hello');
      expect((await client.subscribe('services')).type).toBe('subscribed');
      expect((await client.ask({ type: 'auth', token: key })).data.code).toBe('conflict');
      expect(api.logs()).not.toContain(key);
    });

    it('nobody else: silent, wrong, or with the token in the query', async () => {
      limits().authentication = 50;
      const silent = await open();
      limits().authentication = 5_000;
      expect((await silent.closed()).code).toBe(4401);
      const wrong = await open();
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

    it('a session that has ended may still show a key', async () => {
      const user = await aPanelUser(api.app, 'admin');
      const client = await open({ cookie: 'oidc_session=gone', origin: api.url });
      client.send({ type: 'auth', token: await aKey(api.app, user) });
      expect((await client.next('hello')).data.user.id).toBe(user.id);
    });

    it('not who can watch nothing, nor who has no organisation', async () => {
      const { user } = await aCustomer(api.app);
      const homeless = await aPanelUser(api.app, 'customer');
      for (const [who, status, code] of [
        [user, 403, 4403],
        [homeless, 404, 4404],
      ] as const) {
        const theirs = await aKey(api.app, who, { scopes: ['secrets:read'] });
        expect((await SocketClient.refusal(api.url, { key: theirs })).status).toBe(status);
        const late = await open();
        late.send({ type: 'auth', token: theirs });
        expect((await late.closed()).code).toBe(code);
      }
    });

    it('answers other paths and methods as HTTP does, and wishes for other protocols with what was asked', async () => {
      const lost = await SocketClient.refusal(api.url, { key, path: '/elsewhere' });
      expect([lost.status, lost.body.error.code, lost.headers['x-request-id']]).toEqual([
        404,
        'not_found',
        lost.body.error.requestId,
      ]);
      const plain = await fetch(`${api.url}/ws`);
      expect([plain.status, plain.headers.get('upgrade')]).toEqual([426, 'websocket']);
      const body = JSON.stringify({ name: 'upgraded', composeYaml: COMPOSE });
      const answer = await rawHttp(
        api.url,
        `POST /api/v1/services HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nConnection: Upgrade, HTTP2-Settings\r\n` +
          `Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQ\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
        body,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 202 /);
    });
  });

  describe('what it tells', () => {
    it('every status and step, in order, on each channel that is about it', async () => {
      const client = await greeted();
      await client.subscribe('services');
      const { serviceId, deploymentId } = await create();
      await client.find(({ type, data }) => type === 'service.status' && data.serviceId === serviceId);
      await client.subscribe(`service:${serviceId}`);
      await client.subscribe(`deployment:${deploymentId}`);
      await admin.delete(`/api/v1/services/${serviceId}`);
      await client.find(({ type, data }) => type === 'service.status' && data.status === 'removing');
      const told = client.messages.filter(({ seq, type }) => seq !== undefined && type !== 'subscribed');
      for (const channel of ['services', `service:${serviceId}`, `deployment:${deploymentId}`]) {
        const seqs = told.filter((message) => message.channel === channel).map(({ seq }) => seq!);
        expect([channel, seqs]).toEqual([channel, [...new Set(seqs)].sort((a, b) => a - b)]);
      }
      expect(client.messages.every(({ type }) => (SERVER_TYPES as readonly string[]).includes(type))).toBe(true);
    });

    it('a removal, which ends what is subscribed of the service', async () => {
      const { serviceId, deploymentId } = await create();
      const client = await greeted();
      for (const channel of ['services', `service:${serviceId}`, `deployment:${deploymentId}`]) {
        expect((await client.subscribe(channel)).type).toBe('subscribed');
      }
      await sql(`delete from services.services where id = '${serviceId}'`);
      await sql(
        `insert into services.feed (type, service_id, customer_id, data, at)
         values ('service.removed', '${serviceId}', null, '{"serviceId":"${serviceId}"}', now())`,
      );
      await client.find(({ type, channel }) => type === 'unsubscribed' && channel === `deployment:${deploymentId}`);
      expect(client.of('service.removed').map(({ channel }) => channel)).toEqual(['services', `service:${serviceId}`]);
      expect(client.of('unsubscribed').map(({ channel, data }) => [channel, data.reason])).toEqual([
        [`service:${serviceId}`, 'removed'],
        [`deployment:${deploymentId}`, 'removed'],
      ]);
      expect((await client.subscribe(`service:${serviceId}`)).data.code).toBe('not_found');
    });
  });

  describe('a customer', () => {
    it('gets nothing of another one by any channel and any way to resume, and its own', async () => {
      const [one, other] = [await aCustomer(api.app), await aCustomer(api.app)];
      const below = await anOrganisation(api.app, one.organisation.id);
      const own = await create({ customerId: one.organisation.id });
      const child = await create({ customerId: below.id });
      const foreign = await create({ customerId: other.organisation.id });
      const nobodys = await create();
      const hidden = await create({ customerId: one.organisation.id });
      await sql(`update services.services set hidden = true where id = '${hidden.serviceId}'`);
      await sql(`delete from services.feed where service_id = '${hidden.serviceId}'`);
      const bound = await aKey(api.app, await aPanelUser(api.app, 'admin'), {}, one.organisation.id);
      const cookie = await aSessionCookie(api.app, one.user);
      for (const options of [{ key: await aKey(api.app, one.user) }, { cookie, origin: api.url }, { key: bound }]) {
        const client = await greeted(options);
        for (const { serviceId, deploymentId } of [foreign, nobodys, hidden, random()]) {
          const channels = [`service:${serviceId}`, `service:${serviceId}:logs`, `deployment:${deploymentId}`];
          for (const channel of [...channels, `service:${deploymentId}`, `deployment:${serviceId}`]) {
            for (const more of [{}, { since: 0 }, { since: 1, tail: 1_000 }]) {
              const { type, data } = await client.subscribe(channel, more);
              expect([channel, type, data]).toEqual([
                channel,
                'error',
                { code: 'not_found', message: 'The resource does not exist.' },
              ]);
            }
          }
        }
        expect((await client.subscribe('services', { since: 0 })).data).toEqual({ resumed: true });
        for (const { serviceId, deploymentId } of [own, child]) {
          expect((await client.subscribe(`service:${serviceId}`, { since: 0 })).type).toBe('subscribed');
          expect((await client.subscribe(`deployment:${deploymentId}`, { since: 0 })).type).toBe('subscribed');
        }
        for (const { serviceId } of [foreign, nobodys, own]) await admin.delete(`/api/v1/services/${serviceId}`);
        // Events come in their order: those of the others would be here by now.
        await client.find(({ data }) => data.serviceId === own.serviceId && data.status === 'removing');
        const seen = new Set(client.messages.map(({ data }) => data.serviceId as string).filter(Boolean));
        expect([...seen].sort()).toEqual([own.serviceId, child.serviceId].sort());
        await client.close();
      }
    });

    it('is told what its permissions allow, and no longer once it may not', async () => {
      const { user, organisation } = await aCustomer(api.app);
      const { serviceId, deploymentId } = await create({ customerId: organisation.id });
      const partial = await aKey(api.app, user, { scopes: ['services:read'] });
      const client = await greeted({ key: partial });
      for (const channel of [`service:${serviceId}:logs`, `deployment:${deploymentId}`]) {
        expect((await client.subscribe(channel)).data.code).toBe('forbidden');
      }
      await client.subscribe(`service:${serviceId}`, { since: 0 });
      await client.settled();
      expect(new Set(client.messages.map(({ type }) => type))).toEqual(
        new Set(['hello', 'error', 'subscribed', 'service.status', 'pong']),
      );

      limits().recheck = 50;
      const watcher = await greeted({ key: await aKey(api.app, user) });
      limits().recheck = 60_000;
      await watcher.subscribe(`service:${serviceId}`);
      await sql(`update services.services set customer_id = null where id = '${serviceId}'`);
      const ended = await watcher.next('unsubscribed');
      expect([ended.channel, ended.data.reason]).toEqual([`service:${serviceId}`, 'not_found']);
      await sql(`delete from panel_auth.memberships where user_id = '${user.id}'`);
      expect((await watcher.closed()).code).toBe(4404);
    });
  });

  describe('the end of a socket', () => {
    /** By itself. */
    const revoke = async (text: string) => {
      const { keys } = (await api.as(text).get('/api/v1/api-keys')).body as { keys: { id: string; prefix: string }[] };
      const own = keys.find(({ prefix }) => text.startsWith(prefix))!;
      expect((await api.as(text).delete(`/api/v1/api-keys/${own.id}`)).status).toBe(204);
    };

    it('comes within a second of a revocation and of a logout', async () => {
      const user = await aPanelUser(api.app, 'admin');
      const first = await aKey(api.app, user);
      const cookie = await aSessionCookie(api.app, user);
      const byKey = await greeted({ key: first });
      const late = await open();
      late.send({ type: 'auth', token: first });
      await late.next('hello');
      const bySession = await greeted({ cookie, origin: api.url });
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

    it('comes when nobody answers', async () => {
      const [silent, alive] = [await greeted(), await greeted()];
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

    it('comes for too many messages, subscriptions and sockets', async () => {
      const chatty = await greeted();
      for (let index = 0; index < 200; index += 1) chatty.send({ type: 'ping' });
      expect((await chatty.closed()).code).toBe(4429);
      const before = { ...limits() };
      limits().subscriptions = 2;
      const greedy = await greeted();
      await greedy.subscribe('services');
      await greedy.subscribe('services');
      for (let index = 0; index < 2; index += 1)
        greedy.send({ type: 'subscribe', channel: `service:${(await create()).serviceId}` });
      expect((await greedy.closed()).code).toBe(4429);
      limits().socketsPerCredential = 1;
      const own = await anAdminKey(api.app);
      await greeted({ key: own });
      const refused = await SocketClient.refusal(api.url, { key: own });
      expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limited']);
      expect(refused.headers['retry-after']).toBeDefined();
      const late = await open();
      late.send({ type: 'auth', token: own });
      expect((await late.closed()).code).toBe(4429);
      Object.assign(limits(), before);
    });
  });

  it('answers hostile frames, and goes on for the others', async () => {
    const bystander = await greeted();
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
    const client = await greeted();
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

    const ends: [number, (socket: SocketClient) => void][] = [
      [1003, (socket) => socket.ws.send(Buffer.from([1, 2, 3]))],
      [1009, (socket) => socket.ws.send('x'.repeat(20_000))],
      [1007, (socket) => socket.ws.send(Buffer.from([0xff, 0xfe]), { binary: false })],
      [1002, (socket) => (socket.ws as any)._socket.write(Buffer.from([0xff, 0xff, 0, 0, 0, 0, 0]))],
    ];
    for (const [code, attack] of ends) {
      const attacker = await greeted();
      attack(attacker);
      expect((await attacker.closed()).code).toBe(code);
    }
    await bystander.settled();
  });

  // The last of this file: strategies of a process are those of its newest application.
  describe('another process', () => {
    let other: RunningPanelApi;

    beforeAll(async () => {
      other = await startPanelApi({ database: api.database, settings: { ...settings, PANEL_AUTHFAIL_RPM: '1' } });
    });
    afterAll(() => other.close());

    it('tells what was missed with the same numbers, or that it cannot', async () => {
      const first = await greeted();
      await first.subscribe('services');
      const { serviceId } = await create();
      const { seq } = await first.find(({ type, data }) => type === 'service.status' && data.serviceId === serviceId);
      await first.close();
      const made = [(await create()).serviceId, (await create()).serviceId];
      const second = await greeted({ key }, other.url);
      expect((await second.subscribe('services', { since: seq })).data).toEqual({ resumed: true });
      await second.settled();
      expect(second.of('service.status').map(({ data }) => data.serviceId)).toEqual(made);
      const later = await create();
      await second.find(({ data }) => data.serviceId === later.serviceId);
      expect((await second.subscribe('services', { since: 9_000_000 })).data).toEqual({ resumed: false });
      // Two processes tell the same with the same numbers.
      const third = await greeted();
      await third.subscribe('services', { since: seq });
      await third.settled();
      const numbers = (client: SocketClient) =>
        client
          .of('service.status')
          .slice(0, 3)
          .map(({ data, seq: number }) => [data.serviceId, number]);
      expect(numbers(third)).toEqual(numbers(second));
    });

    it('counts the sockets that a key opens, and the guesses', async () => {
      const slow = await aKey(api.app, await aPanelUser(api.app, 'admin'), { rateLimitRpm: 1 });
      await greeted({ key: slow });
      expect((await SocketClient.refusal(api.url, { key: slow })).status).toBe(429);
      expect((await SocketClient.refusal(other.url, { key: 'pk_guess' })).status).toBe(401);
      expect((await SocketClient.refusal(other.url, { key: 'pk_guess' })).status).toBe(429);
      const guess = await open({}, other.url);
      guess.send({ type: 'auth', token: 'pk_guess' });
      expect((await guess.closed()).code).toBe(4429);
    });

    it('says 1012 when it goes', async () => {
      const client = await greeted({ key }, other.url);
      await client.subscribe('services');
      await other.close();
      expect((await client.closed()).code).toBe(1012);
    });
  });

  const sql = (text: string) => api.app.get(DataSource).query<unknown>(text);
});

const random = () => ({ serviceId: randomUUID(), deploymentId: randomUUID() });

/** The answer to bytes that no client would send; the body comes in a packet of its own. */
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
