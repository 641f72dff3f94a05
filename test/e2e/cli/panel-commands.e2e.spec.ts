import { randomBytes, randomUUID } from 'node:crypto';
import { aKey, anAdminKey } from '../../support/builders/a-panel-user.js';
import { SECRETS_KEY, startPanelApi, type RunningPanelApi } from '../../support/panel-api.js';
import { staffCli } from '../../support/processes/staff-cli.js';
import { Directory } from '#libs/panel-auth';

describe('the staff commands of the panel', () => {
  let api: RunningPanelApi;
  let env: Record<string, string>;

  beforeAll(async () => {
    api = await startPanelApi({ settings: { LEGACY_LOGIN: 'true' } });
    env = { DATABASE_URL: api.database.url, SECRETS_KEYS: SECRETS_KEY };
  });
  afterAll(() => api?.close());

  const cli = (...args: string[]) => staffCli(env, args);
  const done = async (...args: string[]) => {
    const answer = await cli(...args, '--json');
    expect([answer.code, answer.err]).toEqual([0, '']);
    return answer.json;
  };

  it('create a customer with an organisation and a key', async () => {
    const parent = await done('orgs', 'create', '--name', 'Northwind');
    expect(parent).toEqual({ id: expect.any(String), name: 'Northwind', parentId: null });
    const child = await done('orgs', 'create', '--name', 'Birch', '--parent', parent.id);
    expect(child.parentId).toBe(parent.id);
    const user = await done('users', 'create', '--email', 'Ada@Example.com', '--role', 'customer');
    expect(user).toEqual({ id: expect.any(String), email: 'ada@example.com', role: 'customer' });
    await done('members', 'add', '--user', 'ada@example.com', '--org', child.id, '--role', 'customer');
    const made = await done('keys', 'create', '--user', 'ada@example.com', '--name', 'ci', '--rate-limit-rpm', '600');
    expect(made).toEqual({
      key: expect.stringMatching(/^pk_/),
      metadata: {
        name: 'ci',
        scopes: null,
        role: 'customer',
        permissionsDeny: [],
        rateLimitRpm: 600,
        expiresAt: null,
        isServiceAccount: false,
        description: null,
        orgId: child.id,
      },
    });
    expect((await api.as(made.key).get('/api/v1/auth/me')).body.user).toEqual(user);
    expect((await done('orgs', 'list')).map((org: { name: string }) => org.name)).toEqual(['Birch', 'Northwind']);
    const [listed] = await done('keys', 'list', '--user', 'ada@example.com');
    expect(JSON.stringify(listed)).not.toContain(made.key);
    await done('keys', 'revoke', listed.id, '--user', 'ada@example.com');
    expect((await api.as(made.key).get('/api/v1/auth/me')).status).toBe(401);
  });

  it('create a key with few scopes, bound to an organisation and with an expiry', async () => {
    await done('users', 'create', '--email', 'root@example.com', '--role', 'admin');
    const org = await done('orgs', 'create', '--name', 'Cedar');
    const { metadata } = await done(
      ...['keys', 'create', '--user', 'root@example.com', '--name', 'narrow', '--role', 'customer', '--org', org.id],
      ...['--scopes', 'services:*, backups:read', '--deny', 'services:delete', '--service-account'],
      ...['--expires-at', '2099-01-01T00:00:00Z'],
    );
    expect(metadata).toMatchObject({
      role: 'customer',
      orgId: org.id,
      scopes: ['services:*', 'backups:read'],
      permissionsDeny: ['services:delete'],
      isServiceAccount: true,
      expiresAt: '2099-01-01T00:00:00.000Z',
    });
  });

  it('remove members, whose bound keys then lose all access', async () => {
    const org = await done('orgs', 'create', '--name', 'Dogwood');
    await done('users', 'create', '--email', 'bob@example.com', '--role', 'customer');
    await done('members', 'add', '--user', 'bob@example.com', '--org', org.id, '--role', 'customer');
    const { key } = await done('keys', 'create', '--user', 'bob@example.com', '--name', 'x');
    expect((await api.as(key).get('/api/v1/api-keys')).status).toBe(200);
    expect(await done('members', 'list', '--org', org.id)).toHaveLength(1);
    await done('members', 'remove', '--user', 'bob@example.com', '--org', org.id);
    expect((await api.as(key).get('/api/v1/api-keys')).status).toBe(403);
    await done('users', 'disable', '--user', 'bob@example.com');
    for (const command of [
      ['keys', 'create', '--name', 'x'],
      ['users', 'sign-in-token'],
    ]) {
      const refused = await staffCli(env, [...command, '--user', 'bob@example.com', '--json'], '', undefined, api.app);
      expect([refused.code, refused.json.error.code]).toEqual([1, 'user_disabled']);
    }
    expect((await api.as(key).get('/api/v1/auth/me')).status).toBe(401);
  });

  it('show and set the quota of an organisation', async () => {
    const within = (...args: string[]) => staffCli(env, ['orgs', 'quota', ...args], '', undefined, api.app);
    const quota = async (...args: string[]) => (await within(...args, '--json')).json;
    const directory = api.app.get(Directory);
    const parent = await directory.createOrganisation('Hazel', null);
    const child = await directory.createOrganisation('Juniper', parent.id);
    const none = { services: null, cpuCores: null, memoryMb: null, diskMb: null };
    const used = { services: 0, cpuCores: 0, memoryMb: 0, diskMb: 0 };
    expect(await quota(child.id)).toEqual({ organisationId: child.id, own: none, limits: none, used });
    await quota(parent.id, '--services', '3', '--cpu-cores', '2.5', '--memory-mb', '4096', '--disk-mb', '0');
    const own = { ...none, services: 5 };
    expect(await done('orgs', 'quota', child.id, '--services', '5')).toEqual({
      organisationId: child.id,
      own,
      used,
      limits: { services: 3, cpuCores: 2.5, memoryMb: 4096, diskMb: 0 },
    });
    await quota(parent.id, '--services', 'none', '--disk-mb', 'none');
    expect((await quota(child.id)).limits).toEqual({ services: 5, cpuCores: 2.5, memoryMb: 4096, diskMb: null });
    const shown = await within(child.id, '--memory-mb', '512');
    expect([shown.code, shown.out]).toEqual([0, expect.stringMatching(/memoryMb *│ 512 *│ 512 *│ 0/)]);
    const audit = await api.as(await anAdminKey(api.app)).get('/api/v1/audit?action=quota.set');
    expect(audit.body.data[0]).toMatchObject({ organisationId: child.id, detail: { services: 5, memoryMb: 512 } });
    for (const [args, code, told] of [
      [['x'], 'validation', 'id'],
      [[randomUUID()], 'not-found', ''],
      [[randomUUID(), '--services', '1'], 'not-found', ''],
      [[child.id, '--services', '1.5'], 'validation', '--services must be a whole number from 0 to 1000000, or none'],
      [[child.id, '--memory-mb', '-1'], 'validation', '--memory-mb must be'],
      [[child.id, '--cpu-cores', ''], 'validation', '--cpu-cores must be'],
    ] as const)
      expect((await quota(...args)).error).toEqual({ code, message: expect.stringContaining(told) });
  });

  it('set passwords from standard input and issue sign-in tokens', async () => {
    await done('users', 'create', '--email', 'eve@example.com', '--role', 'customer');
    const set = ['users', 'set-password', '--user', 'eve@example.com', '--json'];
    expect((await staffCli(env, set, 'short\n')).json.error.code).toBe('validation');
    expect((await staffCli(env, set, 'correct horse battery\n')).code).toBe(0);
    const login = { email: 'eve@example.com', password: 'correct horse battery' };
    expect((await api.as(null).post('/api/v1/auth/login', login)).status).toBe(200);
    const { token } = await done('users', 'sign-in-token', '--user', 'eve@example.com');
    expect((await api.as(null).post('/api/v1/auth/login', { token })).status).toBe(200);
  });

  it.each([
    [['orgs', 'create', '--name', 'x'.repeat(201)], 'validation'],
    [['orgs', 'create', '--name', 'x', '--parent', '00000000-0000-4000-8000-000000000000'], 'not-found'],
    [
      [
        'members',
        'add',
        '--user',
        'no@example.com',
        '--org',
        '00000000-0000-4000-8000-000000000000',
        '--role',
        'customer',
      ],
      'not-found',
    ],
    [['keys', 'create', '--user', 'no@example.com', '--name', 'x'], 'not-found'],
  ])('refuse %j in one JSON document', async (args, code) => {
    const answer = await cli(...args, '--json');
    expect([answer.code, answer.json.error.code]).toEqual([1, code]);
  });

  it('name the thing that does not exist', async () => {
    const told = async (...args: string[]) => (await cli(...args, '--json')).json.error.message as string;
    const nowhere = randomUUID();
    const { email } = await api.app.get(Directory).createUser('frida@example.com', 'customer');
    expect(await told('users', 'disable', '--user', 'no@example.com')).toBe(
      'The resource does not exist: --user no@example.com.',
    );
    expect(await told('members', 'add', '--user', email, '--org', nowhere, '--role', 'customer')).toBe(
      `The resource does not exist: --user ${email}, --org ${nowhere}.`,
    );
    expect(await told('keys', 'revoke', nowhere, '--user', email)).toBe(
      `The resource does not exist: ${nowhere}, --user ${email}.`,
    );
  });

  it('refuse keys that break the rules for keys', async () => {
    const user = await api.app.get(Directory).createUser('carl@example.com', 'customer');
    const create = (...more: string[]) => cli('keys', 'create', '--user', user.email, '--name', 'x', '--json', ...more);
    expect((await create()).json.error.code).toBe('organisation_missing');
    const home = await done('orgs', 'create', '--name', 'Oak');
    await done('members', 'add', '--user', user.email, '--org', home.id, '--role', 'customer');
    expect((await create('--role', 'admin')).json.error.code).toBe('insufficient_role');
    expect((await create('--scopes', 'everything')).json.error.code).toBe('unknown_permission');
    expect((await create('--rate-limit-rpm', '0')).json.error.code).toBe('validation');
    expect((await create('--expires-at', '2020-01-01T00:00:00Z')).json.error.code).toBe('validation');
    const org = await done('orgs', 'create', '--name', 'Elm');
    expect((await create('--org', org.id)).json.error.code).toBe('insufficient_role');
  });

  it('refuse an address that another user has', async () => {
    await done('users', 'create', '--email', 'twice@example.com', '--role', 'customer');
    const again = await cli('users', 'create', '--email', 'twice@example.com', '--role', 'admin', '--json');
    expect([again.code, again.json.error.code]).toEqual([1, 'email-taken']);
  });

  it('encrypt everything with the new key, and report a missing SECRETS_KEYS', async () => {
    const { user, organisation } = await customerWithSecret();
    expect(user.role).toBe('customer');
    const newest = { ...env, SECRETS_KEYS: `k9:${randomBytes(32).toString('base64')},${SECRETS_KEY}` };
    const first = await staffCli(newest, ['secrets', 'rotate', '--json']);
    const secrets = first.json.find((column: { column: string }) => column.column === 'organisation_secrets.value');
    expect(secrets).toMatchObject({ resealed: 1, unreadable: 0 });
    expect(first.json.map((column: { column: string }) => column.column)).toContain('license_service.signing_keys');
    const second = await staffCli(newest, ['secrets', 'rotate', '--json']);
    expect(second.json.every((column: { resealed: number }) => column.resealed === 0)).toBe(true);
    const without = await staffCli({ DATABASE_URL: env['DATABASE_URL']! }, ['secrets', 'rotate', '--json']);
    expect(without.code).toBe(1);
    expect(without.json.error.message).toContain('SECRETS_KEYS');
    expect(organisation.name).toBe('Fir');
  });

  it('show an example of every command', async () => {
    for (const command of [
      'users create',
      'orgs create',
      'orgs quota',
      'members add',
      'keys create',
      'secrets rotate',
    ]) {
      const { code, out } = await cli(...command.split(' '), '--help');
      expect([command, code, out]).toEqual([command, 0, expect.stringContaining(`Example: cli ${command}`)]);
    }
    expect((await cli('users', 'create')).code).toBe(2);
  });

  async function customerWithSecret() {
    const directory = api.app.get(Directory);
    const user = await directory.createUser('fred@example.com', 'customer');
    const organisation = await directory.createOrganisation('Fir', null);
    await directory.addMember(user.id, organisation.id, 'customer', null);
    const key = await aKey(api.app, user);
    expect((await api.as(key).post('/api/v1/secrets', { name: 'A', value: 'x' })).status).toBe(201);
    return { user, organisation };
  }
});
