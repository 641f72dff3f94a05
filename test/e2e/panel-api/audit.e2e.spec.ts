import pg from 'pg';
import { aCustomer, aKey, anAdminKey } from '../../support/builders/a-panel-user.js';
import { startPanelApi, type RunningPanelApi } from '../../support/panel-api.js';

describe('the audit log', () => {
  let api: RunningPanelApi;
  let database: pg.Client;
  let admin: string;

  beforeAll(async () => {
    api = await startPanelApi();
    admin = await anAdminKey(api.app);
    database = new pg.Client({ connectionString: api.database.url });
    await database.connect();
  });
  afterAll(async () => {
    await database?.end();
    await api?.close();
  });

  it('tells who did what with which key, newest first', async () => {
    const { body } = await api.as(admin).post('/api/v1/api-keys', { name: 'child' });
    const { id } = (await api.as(admin).get('/api/v1/api-keys')).body.keys[0];
    await api.as(admin).delete(`/api/v1/api-keys/${id}`);
    const { data } = (await api.as(admin).get('/api/v1/audit?pageSize=2')).body;
    expect(data.map((entry: { action: string }) => entry.action)).toEqual(['api_key.revoked', 'api_key.created']);
    expect(data[1]).toMatchObject({
      target: id,
      detail: { name: 'child', role: 'admin', prefix: body.key.slice(0, 11) },
    });
    expect(data[1].apiKeyId).not.toBeNull();
  });

  it.each([
    ['page=0&pageSize=0', { page: 1, pageSize: 20 }],
    ['page=x&pageSize=101', { page: 1, pageSize: 20 }],
    ['page=-1&pageSize=100', { page: 1, pageSize: 100 }],
    ['page=2&pageSize=1', { page: 2, pageSize: 1 }],
    ['page=99999999999999999999&pageSize=1.5', { page: 1, pageSize: 20 }],
    ['', { page: 1, pageSize: 20 }],
  ])('reads the page %s leniently', async (query, expected) => {
    const { status, body } = await api.as(admin).get(`/api/v1/audit?${query}`);
    expect(status).toBe(200);
    expect(body.pagination).toMatchObject(expected);
    expect(body.pagination.totalPages).toBe(Math.ceil(body.pagination.total / body.pagination.pageSize));
  });

  it('is filtered by action, user and organisation, and refuses what is neither', async () => {
    const { user, organisation } = await aCustomer(api.app);
    await aKey(api.app, user, {}, organisation.id);
    const of = async (query: string) =>
      (await api.as(admin).get(`/api/v1/audit?${query}`)).body.data.map((entry: { action: string }) => entry.action);
    expect(await of(`organisationId=${organisation.id}`)).toEqual([
      'api_key.created',
      'membership.added',
      'organisation.created',
    ]);
    expect(await of(`organisationId=${organisation.id}&action=membership.added`)).toEqual(['membership.added']);
    for (const query of ['action=nothing', 'userId=x', 'organisationId=1']) {
      expect((await api.as(admin).get(`/api/v1/audit?${query}`)).status).toBe(422);
    }
  });

  it.each([
    'update panel_auth.audit_log set target = null',
    'delete from panel_auth.audit_log',
    'truncate panel_auth.audit_log',
  ])('is only ever added to: %s', async (statement) => {
    await expect(database.query(statement)).rejects.toThrow('only ever added to');
  });
});
