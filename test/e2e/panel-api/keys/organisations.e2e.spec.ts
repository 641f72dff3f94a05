import { randomUUID } from 'node:crypto';
import { aCustomer, aKey, anAdminKey, anOrganisation, aPanelUser } from '../../../support/builders/a-panel-user.js';
import type { HttpClient } from '../../../support/http/http-client.js';
import { startPanelApi, type RunningPanelApi } from '../../../support/panel-api.js';

const FREE = { services: null, cpuCores: null, memoryMb: null, diskMb: null };

describe('organisations and their members over the API', () => {
  let api: RunningPanelApi;
  let admin: HttpClient;

  beforeAll(async () => {
    api = await startPanelApi({ settings: { LOG_LEVEL: 'error' } });
    admin = api.as(await anAdminKey(api.app));
  });
  afterAll(() => api?.close());

  const boundAdmin = async (organisationId: Parameters<typeof aKey>[3]) =>
    api.as(await aKey(api.app, await aPanelUser(api.app, 'admin'), {}, organisationId));
  const names = (body: { data: { name: string }[] }) => body.data.map(({ name }) => name);

  it('are listed by name in pages, and can be filtered by part of the name and by ids', async () => {
    const made = [];
    for (const name of ['Zeta 100%', 'alpha 100%', 'Beta 1000'])
      made.push((await admin.post('/api/v1/organisations', { name })).body);
    const all = await admin.get('/api/v1/organisations?pageSize=100');
    expect(names(all.body).filter((name) => /100/.test(name))).toEqual(['alpha 100%', 'Beta 1000', 'Zeta 100%']);
    expect(names((await admin.get('/api/v1/organisations?search=100%25')).body)).toEqual(['alpha 100%', 'Zeta 100%']);
    const second = await admin.get('/api/v1/organisations?search=100%25&page=2&pageSize=1');
    expect(names(second.body)).toEqual(['Zeta 100%']);
    expect(second.body.pagination).toEqual({ page: 2, pageSize: 1, total: 2, totalPages: 2 });
    const byId = await admin.get(`/api/v1/organisations?ids=${made[0].id},${randomUUID()}`);
    expect(byId.body.data).toEqual([made[0]]);
    const wrong = await admin.get('/api/v1/organisations?ids=nothing');
    expect([wrong.status, wrong.body.error.details[0].path]).toEqual([422, '/ids']);
  });

  it('are created below another one, which must exist', async () => {
    const above = await anOrganisation(api.app);
    const { status, body } = await admin.post('/api/v1/organisations', { name: ' Harbour ', parentId: above.id });
    expect([status, body]).toEqual([
      201,
      { id: body.id, name: 'Harbour', parentId: above.id, members: 0, createdAt: body.createdAt },
    ]);
    expect((await admin.post('/api/v1/organisations', { name: 'x', parentId: randomUUID() })).status).toBe(404);
    const wrong = await admin.post('/api/v1/organisations', { name: ' ', parentId: 'above' });
    expect(wrong.body.error.details.map(({ path }: { path: string }) => path).sort()).toEqual(['/name', '/parentId']);
  });

  it('are shown with their quota and their use', async () => {
    const organisation = await anOrganisation(api.app);
    const limits = { ...FREE, services: 3 };
    await admin.call('PUT', `/api/v1/organisations/${organisation.id}/quota`, { body: limits });
    const { body } = await admin.get(`/api/v1/organisations/${organisation.id}`);
    expect(body).toMatchObject({
      id: organisation.id,
      name: organisation.name,
      members: 0,
      own: { ...FREE, services: 3 },
      quota: { limits: { ...FREE, services: 3 }, used: { services: 0, cpuCores: 0, memoryMb: 0, diskMb: 0 } },
    });
  });

  it('add a member by e-mail address, change its permissions and remove it, with audit entries', async () => {
    const { id } = await anOrganisation(api.app);
    const members = `/api/v1/organisations/${id}/members`;
    const added = await admin.post(members, { email: 'New.Person@Example.com' });
    expect([added.status, added.body]).toEqual([
      201,
      {
        userId: added.body.userId,
        email: 'new.person@example.com',
        role: 'customer',
        permissions: null,
        isDisabled: false,
        hasSignedIn: false,
        createdAt: added.body.createdAt,
      },
    ]);
    const change = { email: 'new.person@example.com', permissions: ['services:read', 'services:read'] };
    const changed = await admin.post(members, change);
    expect([changed.status, changed.body]).toEqual([200, { ...added.body, permissions: ['services:read'] }]);
    expect((await admin.get(members)).body.data).toEqual([changed.body]);
    expect((await admin.get(`/api/v1/organisations/${id}`)).body.members).toBe(1);

    expect((await admin.delete(`${members}/${added.body.userId}`)).status).toBe(204);
    expect((await admin.delete(`${members}/${added.body.userId}`)).status).toBe(404);
    expect((await admin.get(members)).body.data).toEqual([]);
    const { body } = await admin.get(`/api/v1/audit?organisationId=${id}`);
    const told = body.data.map(({ action, apiKeyId }: { action: string; apiKeyId: string | null }) => [
      action,
      apiKeyId === null,
    ]);
    expect(told).toEqual([
      ['membership.removed', false],
      ['membership.added', false],
      ['membership.added', false],
      ['organisation.created', true],
    ]);
    const me = (await admin.get('/api/v1/auth/me')).body.user;
    const [newest, , , oldest] = body.data as { userId: string | null; userEmail: string | null }[];
    expect([newest?.userId, newest?.userEmail]).toEqual([me.id, me.email]);
    expect([oldest?.userId, oldest?.userEmail]).toEqual([null, null]);
  });

  it('refuse a member without an address or with unknown permissions, and change nothing', async () => {
    const { id } = await anOrganisation(api.app);
    const members = `/api/v1/organisations/${id}/members`;
    const wrong = await admin.post(members, { email: 'nobody', role: 'owner', permissions: ['services:read', 'fly'] });
    expect(wrong.status).toBe(422);
    const paths = wrong.body.error.details.map(({ path }: { path: string }) => path);
    expect(paths.sort()).toEqual(['/email', '/permissions/1', '/role']);
    expect((await admin.get(members)).body.data).toEqual([]);
    expect((await admin.post(`/api/v1/organisations/${randomUUID()}/members`, { email: 'a@b.c' })).status).toBe(404);
  });

  it('are hidden from a key that is bound to another organisation, like missing ones', async () => {
    const own = await anOrganisation(api.app);
    const below = await anOrganisation(api.app, own.id);
    const other = await anOrganisation(api.app);
    const { user } = await aCustomer(api.app, { organisation: other });
    const bound = await boundAdmin(own.id);

    expect(names((await bound.get('/api/v1/organisations')).body).sort()).toEqual([own.name, below.name].sort());
    expect((await bound.get(`/api/v1/organisations?ids=${other.id}`)).body.data).toEqual([]);
    const place = `/api/v1/organisations/${other.id}`;
    const missing = await bound.get(`/api/v1/organisations/${randomUUID()}`);
    for (const answer of [
      await bound.get(place),
      await bound.get(`${place}/members`),
      await bound.post(`${place}/members`, { email: 'a@b.example' }),
      await bound.delete(`${place}/members/${user.id}`),
      await bound.post('/api/v1/organisations', { name: 'x', parentId: other.id }),
    ])
      expect([answer.status, answer.body.error.message]).toEqual([404, missing.body.error.message]);
    const beside = await bound.post('/api/v1/organisations', { name: 'x' });
    expect([beside.status, beside.body.error.details[0].path]).toEqual([422, '/parentId']);
    expect((await bound.post('/api/v1/organisations', { name: 'x', parentId: below.id })).status).toBe(201);
    expect((await admin.get(`${place}/members`)).body.data).toHaveLength(1);
  });

  it('show a customer only the members of its own organisation', async () => {
    const { user, organisation } = await aCustomer(api.app);
    await aCustomer(api.app);
    const customer = api.as(await aKey(api.app, user));
    const { body } = await customer.get('/api/v1/portal/members');
    expect(body.data.map(({ email }: { email: string }) => email)).toEqual([user.email]);
    expect((await customer.get(`/api/v1/organisations/${organisation.id}/members`)).status).toBe(404);
  });
});
