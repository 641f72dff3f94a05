import { randomUUID } from 'node:crypto';
import { Clock } from '#kernel/time/clock';
import type { Uuid } from '#kernel/crypto/uuid';
import { MonitoringQueries, type OrganisationScope } from '#libs/services';
import { FeedFanOut } from '../../../../apps/panel-api/src/realtime/channels/feed-fan-out.js';
import { MetricsFanOut } from '../../../../apps/panel-api/src/realtime/channels/metrics-fan-out.js';
import { SERVER_TYPES } from '../../../../apps/panel-api/src/realtime/protocol/server-message.js';
import { aCustomer, aKey, anOrganisation, aPanelUser, aSessionCookie } from '../../../support/builders/a-panel-user.js';
import { startPanelApi, type RunningPanelApi } from '../../../support/panel-api.js';
import { limitsOf, REALTIME_SETTINGS, RealtimePanel } from '../../../support/realtime/realtime-panel.js';
import { SocketClient } from '../../../support/realtime/socket-client.js';

describe('events on /ws', () => {
  let panel: RealtimePanel;
  let api: RunningPanelApi;
  let key: string;

  beforeAll(async () => {
    panel = await RealtimePanel.start();
    ({ api, key } = panel);
  });
  afterEach(() => panel.closeSockets());
  afterAll(() => api?.close());

  const limits = () => limitsOf(api.app);

  describe('the channels report', () => {
    it('every status and step, in order, on each matching channel', async () => {
      const client = await panel.greeted();
      await client.subscribe('services');
      const { serviceId, deploymentId } = await panel.create();
      await client.find(({ type, data }) => type === 'service.status' && data.serviceId === serviceId);
      await client.subscribe(`service:${serviceId}`);
      await client.subscribe(`deployment:${deploymentId}`);
      await panel.admin.delete(`/api/v1/services/${serviceId}`);
      await client.find(({ type, data }) => type === 'service.status' && data.status === 'removing');
      const told = client.messages.filter(({ seq, type }) => seq !== undefined && type !== 'subscribed');
      for (const channel of ['services', `service:${serviceId}`, `deployment:${deploymentId}`]) {
        const seqs = told.filter((message) => message.channel === channel).map(({ seq }) => seq!);
        expect([channel, seqs]).toEqual([channel, [...new Set(seqs)].sort((a, b) => a - b)]);
      }
      expect(client.messages.every(({ type }) => (SERVER_TYPES as readonly string[]).includes(type))).toBe(true);
    });

    it('a removal, which ends the subscriptions of the service', async () => {
      const { serviceId, deploymentId } = await panel.create();
      const client = await panel.greeted();
      for (const channel of ['services', `service:${serviceId}`, `deployment:${deploymentId}`]) {
        expect((await client.subscribe(channel)).type).toBe('subscribed');
      }
      await panel.sql(`delete from services.services where id = '${serviceId}'`);
      await panel.sql(
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

    it('the resource use of services, to each caller within its scope', async () => {
      const { user, organisation } = await aCustomer(api.app);
      const own = (await panel.create({ customerId: organisation.id })).serviceId as Uuid;
      const foreign = (await panel.create()).serviceId as Uuid;
      const [all, theirs, blind] = [
        await panel.greeted(),
        await panel.greeted({ key: await aKey(api.app, user) }),
        await panel.greeted({ key: await aKey(api.app, user, { scopes: ['services:read'] }) }),
      ];
      await all.subscribe('services');
      for (const client of [theirs, blind]) {
        await client.subscribe('services');
        await client.subscribe(`service:${own}`);
      }
      const figures = { cpuPct: 1.5, ramPct: 20, cpuSpark: [1], ramSpark: [2], available: true };
      const monitoring = new (class extends MonitoringQueries {
        summary = (scope: OrganisationScope, ids: readonly Uuid[] | null) => {
          const seen = scope.includes(null) ? [own, foreign] : [own];
          return Promise.resolve(new Map(seen.filter((id) => ids?.includes(id) ?? true).map((id) => [id, figures])));
        };
        metrics = () => Promise.resolve(null);
        health = () => Promise.resolve(null);
        diskUsage = () => Promise.resolve(null);
      })();
      const metrics = new MetricsFanOut(
        api.app.get(FeedFanOut),
        { ...limits(), metrics: 20 },
        api.app.get(Clock),
        monitoring,
      );
      metrics.onModuleInit();
      await theirs.find(({ type, channel }) => type === 'service.metrics' && channel === 'services');
      await all.find(({ type, data }) => type === 'service.metrics' && data.serviceId === foreign);
      metrics.onModuleDestroy();
      const told = theirs.of('service.metrics');
      expect(new Set(told.map(({ channel }) => channel))).toEqual(new Set(['services', `service:${own}`]));
      expect(told[0]!.data).toEqual({ serviceId: own, cpuPct: 1.5, ramPct: 20, available: true });
      expect(told.every(({ data }) => data.serviceId === own)).toBe(true);
      await blind.settled();
      expect(blind.of('service.metrics')).toEqual([]);
    });
  });

  describe('a customer', () => {
    it('gets its own events and none of another customer, on any channel and with any way to resume', async () => {
      const [one, other] = [await aCustomer(api.app), await aCustomer(api.app)];
      const below = await anOrganisation(api.app, one.organisation.id);
      const own = await panel.create({ customerId: one.organisation.id });
      const child = await panel.create({ customerId: below.id });
      const foreign = await panel.create({ customerId: other.organisation.id });
      const nobodys = await panel.create();
      const hidden = await panel.create({ customerId: one.organisation.id });
      await panel.sql(`update services.services set hidden = true where id = '${hidden.serviceId}'`);
      await panel.sql(`delete from services.feed where service_id = '${hidden.serviceId}'`);
      const bound = await aKey(api.app, await aPanelUser(api.app, 'admin'), {}, one.organisation.id);
      const cookie = await aSessionCookie(api.app, one.user);
      for (const options of [{ key: await aKey(api.app, one.user) }, { cookie, origin: api.url }, { key: bound }]) {
        const client = await panel.greeted(options);
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
        for (const { serviceId } of [foreign, nobodys, own]) await panel.admin.delete(`/api/v1/services/${serviceId}`);
        // Events arrive in order, so those of the others would have arrived by now.
        await client.find(({ data }) => data.serviceId === own.serviceId && data.status === 'removing');
        const seen = new Set(client.messages.map(({ data }) => data.serviceId as string).filter(Boolean));
        expect([...seen].sort()).toEqual([own.serviceId, child.serviceId].sort());
        await client.close();
      }
    });

    it('gets the events that its permissions allow, as long as they allow them', async () => {
      const { user, organisation } = await aCustomer(api.app);
      const { serviceId, deploymentId } = await panel.create({ customerId: organisation.id });
      const partial = await aKey(api.app, user, { scopes: ['services:read'] });
      const client = await panel.greeted({ key: partial });
      for (const channel of [`service:${serviceId}:logs`, `deployment:${deploymentId}`]) {
        expect((await client.subscribe(channel)).data.code).toBe('forbidden');
      }
      await client.subscribe(`service:${serviceId}`, { since: 0 });
      await client.settled();
      expect(new Set(client.messages.map(({ type }) => type))).toEqual(
        new Set(['hello', 'error', 'subscribed', 'service.status', 'pong']),
      );

      limits().recheck = 50;
      const watcher = await panel.greeted({ key: await aKey(api.app, user) });
      limits().recheck = 60_000;
      await watcher.subscribe(`service:${serviceId}`);
      await panel.sql(`update services.services set customer_id = null where id = '${serviceId}'`);
      const ended = await watcher.next('unsubscribed');
      expect([ended.channel, ended.data.reason]).toEqual([`service:${serviceId}`, 'not_found']);
      await panel.sql(`delete from panel_auth.memberships where user_id = '${user.id}'`);
      expect((await watcher.closed()).code).toBe(4404);
    });
  });

  // Last in this file, because the newest application of a process replaces its Passport strategies.
  describe('another process', () => {
    let other: RunningPanelApi;

    beforeAll(async () => {
      other = await startPanelApi({
        database: api.database,
        settings: { ...REALTIME_SETTINGS, PANEL_AUTHFAIL_RPM: '1' },
      });
    });
    afterAll(() => other.close());

    it('sends missed events with the same numbers, or reports that it cannot', async () => {
      const first = await panel.greeted();
      await first.subscribe('services');
      const { serviceId } = await panel.create();
      const { seq } = await first.find(({ type, data }) => type === 'service.status' && data.serviceId === serviceId);
      await first.close();
      const made = [(await panel.create()).serviceId, (await panel.create()).serviceId];
      const second = await panel.greeted({ key }, other.url);
      const resumed = await second.subscribe('services', { since: seq });
      expect([resumed.seq, resumed.data]).toEqual([seq, { resumed: true }]);
      await second.settled();
      expect(second.of('service.status').map(({ data }) => data.serviceId)).toEqual(made);
      const later = await panel.create();
      await second.find(({ data }) => data.serviceId === later.serviceId);
      expect((await second.subscribe('services', { since: 9_000_000 })).data).toEqual({ resumed: false });
      // Both processes send the same events with the same numbers.
      const third = await panel.greeted();
      await third.subscribe('services', { since: seq });
      await third.settled();
      const numbers = (client: SocketClient) =>
        client
          .of('service.status')
          .slice(0, 3)
          .map(({ data, seq: number }) => [data.serviceId, number]);
      expect(numbers(third)).toEqual(numbers(second));
    });

    it('counts the sockets of a key and the failed attempts as well', async () => {
      const slow = await aKey(api.app, await aPanelUser(api.app, 'admin'), { rateLimitRpm: 1 });
      await panel.greeted({ key: slow });
      expect((await SocketClient.refusal(api.url, { key: slow })).status).toBe(429);
      expect((await SocketClient.refusal(other.url, { key: 'pk_guess' })).status).toBe(401);
      expect((await SocketClient.refusal(other.url, { key: 'pk_guess' })).status).toBe(429);
      const guess = await panel.open({}, other.url);
      guess.send({ type: 'auth', token: 'pk_guess' });
      expect((await guess.closed()).code).toBe(4429);
    });

    it('closes sockets with 1012 when it stops', async () => {
      const client = await panel.greeted({ key }, other.url);
      await client.subscribe('services');
      await other.close();
      expect((await client.closed()).code).toBe(1012);
    });
  });
});

const random = () => ({ serviceId: randomUUID(), deploymentId: randomUUID() });
