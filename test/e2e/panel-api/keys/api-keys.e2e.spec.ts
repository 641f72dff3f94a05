import { Directory, type User } from '#libs/panel-auth';
import {
  aCustomer,
  aKey,
  anAdminKey,
  anOrganisation,
  aPanelUser,
  aSessionCookie,
} from '../../../support/builders/a-panel-user.js';
import { ShiftedClock } from '../../../support/fixed-clock.js';
import { startPanelApi, type RunningPanelApi } from '../../../support/panel-api.js';

const KEYS = '/api/v1/api-keys';
const ME = '/api/v1/auth/me';

describe('API keys of the panel', () => {
  const clock = new ShiftedClock();
  let api: RunningPanelApi;
  let admin: string;

  beforeAll(async () => {
    api = await startPanelApi({ clock });
    admin = await anAdminKey(api.app);
  });
  afterAll(() => api?.close());

  const create = async (key: string, body: object) => (await api.as(key).post(KEYS, { name: 'made', ...body })).body;

  it('are created with a response of the key and exactly the metadata of the contract', async () => {
    const answer = await api.as(admin).post(KEYS, { name: ' ci ' });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.body).toEqual({
      key: expect.stringMatching(/^pk_[0-9A-Za-z]{8}_[\w-]{49}$/),
      metadata: {
        name: 'ci',
        scopes: null,
        role: 'admin',
        permissionsDeny: [],
        rateLimitRpm: 60,
        expiresAt: null,
        isServiceAccount: false,
        description: null,
      },
    });
    expect(api.logs()).not.toContain(answer.body.key);
  });

  it('keep every field of the request', async () => {
    const request = {
      name: 'full',
      role: 'customer',
      scopes: ['services:*', 'backups:read'],
      permissionsDeny: ['services:delete'],
      expiresAt: '2099-01-01T00:00:00.000Z',
      rateLimitRpm: 7,
      isServiceAccount: true,
      description: 'for a test',
    };
    const { metadata } = await create(admin, request);
    expect(metadata).toEqual(request);
    const { body } = await api.as(admin).get(KEYS);
    expect(body.keys[0]).toEqual({
      ...request,
      id: expect.any(String),
      prefix: expect.stringMatching(/^pk_.{8}$/),
      createdAt: expect.any(String),
      lastUsedAt: null,
      revokedAt: null,
    });
  });

  it('are revoked at once and forever, and a second revocation is accepted', async () => {
    const { key } = await create(admin, { name: 'short-lived' });
    expect((await api.as(key).get(ME)).status).toBe(200);
    const { id } = (await api.as(admin).get(KEYS)).body.keys[0];
    expect((await api.as(admin).delete(`${KEYS}/${id}`)).status).toBe(204);
    expect((await api.as(key).get(ME)).status).toBe(401);
    expect((await api.as(admin).delete(`${KEYS}/${id}`)).status).toBe(204);
  });

  it('answer 404 in the same way for a foreign, a missing and a malformed id', async () => {
    const other = await anAdminKey(api.app);
    await create(other, { name: 'theirs' });
    const { id } = (await api.as(other).get(KEYS)).body.keys[0];
    for (const target of [id, '00000000-0000-4000-8000-000000000000', 'nonsense', `{${id}}`]) {
      const answer = await api.as(admin).delete(`${KEYS}/${target}`);
      expect(answer.status).toBe(404);
      expect(answer.body.error).toMatchObject({ code: 'not_found', message: 'The resource does not exist.' });
    }
  });

  it('are accepted until they expire and no longer', async () => {
    const expiresAt = new Date(clock.now().getTime() + 60_000).toISOString();
    const { key } = await create(admin, { expiresAt });
    clock.advance(30_000);
    expect((await api.as(key).get(ME)).status).toBe(200);
    clock.advance(30_000);
    expect((await api.as(key).get(ME)).status).toBe(401);
  });

  it('are listed with valid ones first, and the newest first within each group', async () => {
    const key = await anAdminKey(api.app);
    const names = ['oldest', 'revoked', 'expiring', 'newest'];
    for (const name of names) {
      const expiresAt = name === 'expiring' ? new Date(clock.now().getTime() + 60_000) : null;
      await create(key, { name, expiresAt });
      clock.advance(1);
    }
    const listed = async () => (await api.as(key).get(KEYS)).body.keys as { id: string; name: string }[];
    const revoked = (await listed()).find(({ name }) => name === 'revoked');
    await api.as(key).delete(`${KEYS}/${revoked?.id}`);
    clock.advance(60_000);
    const own = (await listed()).map(({ name }) => name);
    expect(own).toEqual(['newest', 'oldest', 'test key', 'expiring', 'revoked']);
  });

  it('can read themselves, and a session is told that it is not a key', async () => {
    const { key, metadata } = await create(admin, { name: 'self', scopes: [] });
    expect((await api.as(key).get(`${KEYS}/current`)).body).toMatchObject({ ...metadata, prefix: key.slice(0, 11) });
    const cookie = await aSessionCookie(api.app, await aPanelUser(api.app, 'admin'));
    expect((await api.as(null).get(`${KEYS}/current`, { cookie })).status).toBe(404);
  });

  describe('of a customer', () => {
    it('are bound to its organisation, as the metadata show', async () => {
      const { user, organisation } = await aCustomer(api.app);
      const cookie = await aSessionCookie(api.app, user);
      const headers = { cookie, origin: api.url };
      const { status, body } = await api.as(null).post(KEYS, { name: 'mine' }, headers);
      expect(status).toBe(201);
      expect(body.metadata).toMatchObject({ role: 'customer', orgId: organisation.id });
    });

    it('are refused with insufficient_role and not stored if the customer lacks a permission of the role', async () => {
      const limited = await aCustomer(api.app, { permissions: ['api_keys:create', 'api_keys:read', 'services:read'] });
      const whole = await aCustomer(api.app);
      for (const [user, role] of [
        [limited.user, 'customer'],
        [whole.user, 'admin'],
      ] as const) {
        const headers = { cookie: await aSessionCookie(api.app, user), origin: api.url };
        const answer = await api.as(null).post(KEYS, { name: 'too much', role }, headers);
        expect(answer.status).toBe(403);
        expect(answer.body.error.code).toBe('insufficient_role');
        expect((await api.as(null).get(KEYS, headers)).body.keys).toEqual([]);
      }
    });

    it('are refused the role admin before the rest of the request is checked', async () => {
      const key = await aKey(api.app, (await aCustomer(api.app)).user);
      const { status, body } = await api.as(key).post(KEYS, { name: '', scopes: ['nope'], role: 'admin' });
      expect([status, body.error.code]).toEqual([403, 'insufficient_role']);
    });

    it('need the permission api_keys:create and an organisation', async () => {
      const reader = await aCustomer(api.app, { permissions: ['api_keys:read'] });
      const loner = await aPanelUser(api.app, 'customer');
      for (const user of [reader.user, loner]) {
        const headers = { cookie: await aSessionCookie(api.app, user), origin: api.url };
        const answer = await api.as(null).post(KEYS, { name: 'x' }, headers);
        expect(answer.status).toBe(403);
        expect(answer.body.error.code).toBe('forbidden');
      }
    });

    it('lose at once what their creator loses', async () => {
      const { user, organisation } = await aCustomer(api.app);
      const key = await aKey(api.app, user, {}, organisation.id);
      expect((await api.as(key).get(KEYS)).status).toBe(200);
      await api.app.get(Directory).addMember(user.id, organisation.id, 'customer', ['services:read']);
      expect((await api.as(key).get(KEYS)).status).toBe(403);
      await api.app.get(Directory).disableUser(user.id);
      expect((await api.as(key).get(ME)).status).toBe(401);
    });
  });

  describe('bound to an organisation', () => {
    it('make, list and revoke only keys bound to the same organisation', async () => {
      const { user, organisation } = await aCustomer(api.app);
      const below = await anOrganisation(api.app, organisation.id);
      const bound = await aKey(api.app, user, { name: 'bound' }, organisation.id);
      await aKey(api.app, user, { name: 'elsewhere' }, below.id);
      const { metadata } = await create(bound, { name: 'child' });
      expect(metadata.orgId).toBe(organisation.id);
      const { keys } = (await api.as(bound).get(KEYS)).body;
      expect(keys.map((key: { name: string }) => key.name)).toEqual(['child', 'bound']);
      const cookie = await aSessionCookie(api.app, user);
      const all = (await api.as(null).get(KEYS, { cookie })).body.keys;
      const elsewhere = all.find((key: { name: string }) => key.name === 'elsewhere');
      expect((await api.as(bound).delete(`${KEYS}/${elsewhere.id}`)).status).toBe(404);
      expect((await api.as(bound).delete(`${KEYS}/${keys[0].id}`)).status).toBe(204);
    });

    it('do not see the keys of a colleague for the same organisation', async () => {
      const { user, organisation } = await aCustomer(api.app);
      const colleague = await aCustomer(api.app, { organisation });
      await aKey(api.app, colleague.user, { name: 'theirs' }, organisation.id);
      const bound = await aKey(api.app, user, { name: 'mine' }, organisation.id);
      const { keys } = (await api.as(bound).get(KEYS)).body;
      expect(keys.map((key: { name: string }) => key.name)).toEqual(['mine']);
    });

    it('find nothing that belongs to the whole installation', async () => {
      const staff = await aPanelUser(api.app, 'admin');
      const organisation = await anOrganisation(api.app);
      const bound = await aKey(api.app, staff, {}, organisation.id);
      expect((await api.as(bound).get('/api/v1/audit')).status).toBe(404);
      expect((await api.as(admin).get('/api/v1/audit')).status).toBe(200);
    });
  });

  describe('are limited to', () => {
    it('10 active ones per customer; an eleventh needs a revocation', async () => {
      const { user, organisation } = await aCustomer(api.app);
      const first = await aKey(api.app, user, {}, organisation.id);
      const attempts = Array.from({ length: 14 }, () => api.as(first).post(KEYS, { name: 'one of many' }));
      const statuses = (await Promise.all(attempts)).map((answer) => answer.status);
      expect(statuses.filter((status) => status === 201)).toHaveLength(9);
      expect(statuses.filter((status) => status === 409)).toHaveLength(5);
      const refused = await api.as(first).post(KEYS, { name: 'x' });
      expect(refused.body.error.code).toBe('api_key_limit_reached');
      const { keys } = (await api.as(first).get(KEYS)).body;
      await api.as(first).delete(`${KEYS}/${keys[0].id}`);
      expect((await api.as(first).post(KEYS, { name: 'x' })).status).toBe(201);
    });

    it('25 active ones per organisation, even with concurrent requests', async () => {
      const organisation = await anOrganisation(api.app);
      const members: User[] = [];
      for (let n = 0; n < 4; n++) members.push((await aCustomer(api.app, { organisation })).user);
      for (let made = 0; made < 23; made++) await aKey(api.app, members[Math.floor(made / 6)]!, {}, organisation.id);
      const attempts = [0, 1, 2, 3, 0, 1, 2, 3].map((n) => aKey(api.app, members[n]!, {}, organisation.id));
      const outcomes = await Promise.allSettled(attempts);
      expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(2);
      const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.slug] : []));
      expect(refused).toEqual(Array.from({ length: 6 }, () => 'api_key_limit_reached'));
    });

    it('100 active ones per administrator, not counting expired ones', async () => {
      const staff = await aPanelUser(api.app, 'admin');
      const shortLived = await aKey(api.app, staff, { expiresAt: new Date(clock.now().getTime() + 1_000) });
      expect((await api.as(shortLived).get(ME)).status).toBe(200);
      for (let made = 0; made < 97; made++) await aKey(api.app, staff);
      clock.advance(1_000);
      const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => aKey(api.app, staff)));
      expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(3);
    });
  });
});
