import { anAdminKey } from '../../../support/builders/a-panel-user.js';
import { startPanelApi, type RunningPanelApi } from '../../../support/panel-api.js';

const KEYS = '/api/v1/api-keys';

describe('a request for an API key', () => {
  let api: RunningPanelApi;
  let admin: string;

  beforeAll(async () => {
    api = await startPanelApi();
    admin = await anAdminKey(api.app);
  });
  afterAll(() => api?.close());

  it.each([
    [{}, '/name'],
    [{ name: '  ' }, '/name'],
    [{ name: 'x', role: 'operator' }, '/role'],
    [{ name: 'x', expiresAt: 'tomorrow' }, '/expiresAt'],
    [{ name: 'x', expiresAt: '2020-01-01T00:00:00Z' }, '/expiresAt'],
    [{ name: 'x', expiresAt: '2099-01-01T00:00:00' }, '/expiresAt'],
    [{ name: 'x', expiresAt: '2099-02-31T00:00:00Z' }, '/expiresAt'],
    [{ name: 'x', expiresAt: 4070908800 }, '/expiresAt'],
    [{ name: 'x', expiresAt: '9999-12-31T23:59:59-12:00' }, '/expiresAt'],
    [{ name: '😀'.repeat(201) }, '/name'],
    [{ name: 'x', rateLimitRpm: 0 }, '/rateLimitRpm'],
    [{ name: 'x', rateLimitRpm: -1 }, '/rateLimitRpm'],
    [{ name: 'x', rateLimitRpm: 1.5 }, '/rateLimitRpm'],
    [{ name: 'x', rateLimitRpm: '60' }, '/rateLimitRpm'],
    [{ name: 'x', rateLimitRpm: 2 ** 31 }, '/rateLimitRpm'],
    [{ name: 'x', isServiceAccount: 'yes' }, '/isServiceAccount'],
    [{ name: 'x', scopes: 'services:read' }, '/scopes'],
    [{ name: 'x', permissionsDeny: [1] }, '/permissionsDeny/0'],
    [{ name: 'a\u0000b' }, '/name'],
  ])('names the invalid field of %j', async (body, path) => {
    const answer = await api.as(admin).post(KEYS, body);
    expect(answer.status).toBe(422);
    expect(answer.body.error.code).toBe('validation_failed');
    expect(answer.body.error.details.map((detail: { path: string }) => detail.path)).toContain(path);
  });

  it.each([
    [
      { name: 'x', scopes: ['nope'], permissionsDeny: ['q'] },
      'unknown_permission',
      ['/permissionsDeny/0', '/scopes/0'],
    ],
    [
      { name: '', scopes: ['nope'], expiresAt: '2020-01-01T00:00:00Z' },
      'validation_failed',
      ['/expiresAt', '/name', '/scopes/0'],
    ],
    [
      { rateLimitRpm: 0, expiresAt: '9999-12-31T23:59:59-12:00' },
      'validation_failed',
      ['/expiresAt', '/name', '/rateLimitRpm'],
    ],
    [{ name: 'x', expiresAt: '2020-02-31T00:00:00Z' }, 'validation_failed', ['/expiresAt']],
    [{ name: '', scopes: ['nope', 1] }, 'validation_failed', ['/name', '/scopes/0', '/scopes/1']],
    [
      { name: 'x', scopes: 7, permissionsDeny: [null, 'q'] },
      'validation_failed',
      ['/permissionsDeny/0', '/permissionsDeny/1', '/scopes'],
    ],
  ])('names every error in %j', async (body, code, paths) => {
    const { status, body: answer } = await api.as(admin).post(KEYS, body);
    expect([status, answer.error.code]).toEqual([422, code]);
    expect(answer.error.details.map(({ path }: { path: string }) => path).sort()).toEqual(paths);
  });

  it.each([
    [{ rateLimitRpm: '60' }, 'rateLimitRpm must be a whole number'],
    [{ rateLimitRpm: null }, 'rateLimitRpm must be a whole number'],
    [{ expiresAt: 'tomorrow' }, 'expiresAt must be an RFC 3339 date and time'],
    [{ expiresAt: '2099-02-31T00:00:00Z' }, 'expiresAt must be a date and time that exists'],
    [{ scopes: 'services:read' }, 'scopes must be an array'],
    [{ permissionsDeny: null }, 'permissionsDeny must be an array'],
  ])('reports the wrong type of %j before anything else', async (body, message) => {
    expect((await api.as(admin).post(KEYS, { name: 'x', ...body })).body.error.message).toBe(message);
  });

  it.each([
    ['2099-01-01t00:00:00z', '2099-01-01T00:00:00.000Z'],
    ['2099-01-01T02:00:00+02:00', '2099-01-01T00:00:00.000Z'],
    ['2099-01-01T00:00:00.123456Z', '2099-01-01T00:00:00.123Z'],
  ])('reads the time %s as defined in RFC 3339', async (expiresAt, instant) => {
    expect((await api.as(admin).post(KEYS, { name: 'made', expiresAt })).body.metadata.expiresAt).toBe(instant);
  });

  it.each([
    [{ permissionsDeny: ['services:read', 'services:fly'] }, '/permissionsDeny/1'],
    [{ permissionsDeny: ['services:*'] }, '/permissionsDeny/0'],
    [{ scopes: ['everything'] }, '/scopes/0'],
  ])('refuses the unknown permission in %j', async (body, path) => {
    const answer = await api.as(admin).post(KEYS, { name: 'x', ...body });
    expect(answer.status).toBe(422);
    expect(answer.body.error).toMatchObject({ code: 'unknown_permission', details: [{ path }] });
  });
});
