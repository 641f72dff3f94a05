import { cli, cliProcess, cliWithoutReader } from '../support/processes/cli.js';
import { OidcProvider } from '../support/sign-in/oidc-provider.js';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/test-database.js';

const NOBODY = '00000000-0000-4000-8000-000000000000';

describe('the staff CLI', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });

  afterAll(() => database.drop());

  const json = async (...args: string[]) => {
    const run = await cli(database.url, [...args, '--json']);
    expect(run.stdout.endsWith('\n')).toBe(true);
    return { ...run, body: JSON.parse(run.stdout) };
  };

  it('makes, lists and moves partners', async () => {
    const operator = await json('partners', 'create', '--name', 'Ops', '--type', 'operator');
    expect(operator.code).toBe(0);
    expect(Object.keys(operator.body)).toEqual(['id', 'name', 'type', 'parentId', 'createdAt']);
    const child = await json('partners', 'create', '--name', 'Child', '--type', 'hoster', '--parent', operator.body.id);
    expect(child.body.parentId).toBe(operator.body.id);
    const other = await json(
      'partners',
      'create',
      '--name',
      'Other',
      '--type',
      'distributor',
      '--parent',
      operator.body.id,
    );
    const moved = await json('partners', 'move', child.body.id, '--parent', other.body.id);
    expect(moved.body.parentId).toBe(other.body.id);
    const list = await json('partners', 'list');
    expect(list.body.map((partner: { name: string }) => partner.name)).toEqual(['Ops', 'Other', 'Child']);
    const cycle = await json('partners', 'move', other.body.id, '--parent', child.body.id);
    expect([cycle.code, cycle.body.error.code]).toEqual([1, 'partner-cycle']);
  });

  it('makes a token, shows it once, lists and revokes it', async () => {
    const partner = (await json('partners', 'create', '--name', 'Holder', '--type', 'reseller')).body;
    const created = await json('tokens', 'create', '--partner', partner.id, '--label', 'ci', '--scope', 'read');
    expect(created.body.token).toMatch(/^pcp_/);
    expect(created.body.createdBy).toBe(created.body.id);
    const list = await json('tokens', 'list', '--partner', partner.id);
    expect(list.body).toHaveLength(1);
    expect(list.body[0]).not.toHaveProperty('token');
    expect((await json('tokens', 'revoke', created.body.id)).code).toBe(0);
    expect((await json('tokens', 'list', '--partner', partner.id)).body[0].revokedAt).not.toBeNull();
  });

  it('gives people a table and scripts one JSON document', async () => {
    const table = await cli(database.url, ['partners', 'list']);
    expect(table.stdout).toContain('│');
    expect(table.stderr).toBe('');
  });

  it.each([
    [['partners', 'create', '--name', 'x', '--type', 'hoster', '--parent', NOBODY], 'parent'],
    [['tokens', 'create', '--partner', NOBODY, '--label', 'x', '--scope', 'read'], 'partner'],
  ])('refuses %j with exit code 1 and the field', async (args, field) => {
    const { code, body } = await json(...args);
    expect(code).toBe(1);
    expect(body.error.message).toContain(field);
  });

  it.each([[['partners', 'create', '--name', 'x']], [['partners', 'create', '--nonsense']], [['nonsense']], [[]]])(
    'answers the wrong words %j with exit code 2',
    async (args) => {
      const run = await cli(database.url, args);
      expect(run.code).toBe(2);
      expect(run.stdout).toBe('');
      expect(run.stderr).not.toBe('');
    },
  );

  it('helps with an example', async () => {
    for (const args of [['partners', 'create'], ['tokens', 'create'], ['migrate', 'up'], ['doctor']]) {
      const run = await cli(null, [...args, '--help']);
      expect(run.code).toBe(0);
      expect(run.stdout).toContain('Example: cli');
    }
    const doctor = await cli(null, ['doctor', '--help']);
    expect(doctor.stdout).toContain('Exit code 1 when a check failed.');
  });

  it('names a setting that is missing or wrong, never its value', async () => {
    const missing = await cli(null, ['partners', 'list']);
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('DATABASE_URL: is required')]);
    const wrong = await cli('mysql://secret@host/db', ['partners', 'list']);
    expect(wrong.stderr).toContain('DATABASE_URL: must be');
    expect(wrong.stderr).not.toContain('secret');
  });

  it('says in one line that the database is away or not migrated', async () => {
    const away = await cli('postgres://u:hidden@127.0.0.1:1/x', ['partners', 'list']);
    expect(away.code).toBe(1);
    expect(away.stderr.trim().split('\n')).toHaveLength(1);
    expect(away.stderr).not.toContain('hidden');
    const empty = await createEmptyDatabase();
    try {
      const run = await cli(empty.url, ['partners', 'list']);
      expect([run.code, run.stderr]).toEqual([1, expect.stringContaining('npm run cli -- migrate')]);
      expect((await cli(empty.url, ['migrate', '--json'])).code).toBe(0);
      const again = await cli(empty.url, ['migrate', 'up', '--json']);
      expect(JSON.parse(again.stdout)).toEqual({ applied: [] });
      expect((await cli(empty.url, ['partners', 'list', '--json'])).stdout).toBe('[]\n');
    } finally {
      await empty.drop();
    }
  });

  it('is told by the doctor what is well and what is not', async () => {
    const well = await cli(database.url, ['doctor', '--json']);
    const findings = JSON.parse(well.stdout) as { check: string; state: string; cure: string }[];
    for (const check of ['database', 'migrations', 'queue']) {
      expect(findings.find((finding) => finding.check === check)?.state).toBe('ok');
    }
    const ill = await cli('postgres://u:hidden@127.0.0.1:1/x', ['doctor', '--json']);
    expect(ill.code).toBe(1);
    const database1 = (JSON.parse(ill.stdout) as typeof findings).find((finding) => finding.check === 'database');
    expect([database1?.state, database1?.cure]).toEqual(['failed', expect.stringContaining('DATABASE_URL')]);
    expect(ill.stdout).not.toContain('hidden');
  });

  it('is told by the doctor of each part that there is or may be', async () => {
    const states = async (env: Record<string, string>) => {
      const { stdout, code } = await cli(database.url, ['doctor', '--json'], env);
      expect(stdout).not.toContain('hidden');
      const findings = JSON.parse(stdout) as { check: string; state: string; cure: string }[];
      return { code, ...Object.fromEntries(findings.map(({ check, state }) => [check, state])) };
    };
    const well = { database: 'ok', migrations: 'ok', queue: 'ok', 'license service': 'ok', 'editions map': 'ok' };
    const nowhere = {
      DOCKER_HOST: 'unix:///nowhere.sock',
      OIDC_ISSUER: 'http://127.0.0.1:1',
      CADDY_ADMIN_URL: 'http://127.0.0.1:1',
      AI_BASE_URL: 'http://127.0.0.1:1/v1',
      AI_MODEL: 'any',
      AI_API_KEY: 'hidden-key',
    };
    expect(await states(nowhere)).toEqual({
      ...well,
      code: 1,
      engine: 'failed',
      'identity provider': 'failed',
      'key ring': 'off',
      ingress: 'failed',
      'AI provider': 'failed',
    });
    const provider = await OidcProvider.start({}, 'http://127.0.0.1:1/callback');
    try {
      expect(await states({ OIDC_ISSUER: provider.issuer })).toMatchObject({ ...well, 'identity provider': 'ok' });
      expect(await states({})).toMatchObject({
        ...well,
        'identity provider': 'off',
        ingress: 'off',
        'AI provider': 'off',
      });
    } finally {
      await provider.stop();
    }
  });

  it('is a program that scripts can rely on: exit codes, and nothing but JSON on stdout', async () => {
    const [unread, done, refused, wrong] = await Promise.all([
      cliWithoutReader(database.url, ['partners', 'list', '--json']),
      cliProcess(database.url, ['partners', 'list', '--json']),
      cliProcess(database.url, ['tokens', 'revoke', NOBODY, '--json'], { LOG_LEVEL: 'trace' }),
      cliProcess(database.url, ['partners', 'create', '--name', 'x', '--type', 'king', '--json'], {
        LOG_LEVEL: 'trace',
      }),
    ]);
    expect(unread).toEqual({ code: 0, stderr: '' });
    expect([done.code, refused.code, wrong.code]).toEqual([0, 1, 2]);
    expect(Array.isArray(JSON.parse(done.stdout))).toBe(true);
    expect(JSON.parse(refused.stdout)).toEqual({ error: { code: 'not-found', message: expect.any(String) } });
    expect(JSON.parse(wrong.stdout)).toEqual({ error: { code: 'validation', message: expect.any(String) } });
  });
});
