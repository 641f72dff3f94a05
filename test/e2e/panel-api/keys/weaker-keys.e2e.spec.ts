import { aCustomer, aKey, aPanelUser } from '../../../support/builders/a-panel-user.js';
import { startPanelApi, type RunningPanelApi } from '../../../support/panel-api.js';

const KEYS = '/api/v1/api-keys';

describe('a key', () => {
  let api: RunningPanelApi;

  beforeAll(async () => {
    api = await startPanelApi();
  });
  afterAll(() => api?.close());

  it('of a customer gets no rate above the limit or above that of the key that creates it', async () => {
    const { user } = await aCustomer(api.app);
    const key = await aKey(api.app, user, { rateLimitRpm: 5_000 });
    const refused = await api.as(key).post(KEYS, { name: 'greedy', rateLimitRpm: 2_147_483_647 });
    expect(refused.status).toBe(422);
    expect(refused.body.error.details).toEqual([
      { path: '/rateLimitRpm', code: 'out_of_range', message: 'rateLimitRpm must not be greater than 600' },
    ]);
    const most = await api.as(key).post(KEYS, { name: 'most', rateLimitRpm: 600 });
    expect(most.status).toBe(201);
    const slow = await api.as(key).post(KEYS, { name: 'slow', rateLimitRpm: 30 });
    const child = await api.as(slow.body.key).post(KEYS, { name: 'child' });
    expect(child.body.metadata.rateLimitRpm).toBe(30);
    const faster = await api.as(slow.body.key).post(KEYS, { name: 'faster', rateLimitRpm: 31 });
    expect(faster.status).toBe(422);
  });

  it('with the role customer that an administrator created cannot revoke keys with more rights', async () => {
    const admin = await aPanelUser(api.app, 'admin');
    const strong = await aKey(api.app, admin);
    const weak = (await api.as(strong).post(KEYS, { name: 'weak', role: 'customer' })).body.key as string;
    const idOf = async (key: string) => (await api.as(key).get(`${KEYS}/current`)).body.id as string;
    const refused = await api.as(weak).delete(`${KEYS}/${await idOf(strong)}`);
    expect([refused.status, refused.body.error.code]).toEqual([403, 'insufficient_role']);
    const weaker = (await api.as(weak).post(KEYS, { name: 'weaker', scopes: ['read'] })).body.key as string;
    expect((await api.as(weak).delete(`${KEYS}/${await idOf(weaker)}`)).status).toBe(204);
    expect((await api.as(weak).delete(`${KEYS}/${await idOf(weak)}`)).status).toBe(204);
    expect((await api.as(strong).get(KEYS)).status).toBe(200);
  });

  it.each([
    ['read', 'services:read', 'services:delete'],
    ['write', 'services:delete', 'services:read'],
  ])('with the scope group %s has %s and not %s', async (group, holds, lacks) => {
    const key = await aKey(api.app, await aPanelUser(api.app, 'admin'));
    const made = await api.as(key).post(KEYS, { name: group, scopes: [group] });
    expect([made.status, made.body.metadata.scopes]).toEqual([201, [group]]);
    const { effective } = (await api.as(made.body.key).get('/api/v1/permissions')).body;
    expect(effective).toContain(holds);
    expect(effective).not.toContain(lacks);
  });
});
