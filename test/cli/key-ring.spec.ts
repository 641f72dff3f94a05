import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { SecretText } from '#kernel/crypto/secret-text';
import type { Uuid } from '#kernel/crypto/uuid';
import { SEALED_KINDS } from '#database/sealed-kinds';
import { PanelBackupKey } from '#libs/backups';
import { Sessions } from '#libs/panel-auth';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { KeyRing } from '#platform/key-ring';
import { GitHooks } from '../../libs/services/src/application/ports/git/git-hooks.js';
import { GitHostSettings } from '../../libs/services/src/application/ports/git/git-host-settings.js';
import { TemplateServices } from '../../libs/services/src/application/ports/templates/template-services.js';
import { ChangePlanRepository } from '../../libs/automation/src/application/ports/change-plan-repository.js';
import { SqlKeptKeys } from '../../libs/licensing/src/infrastructure/license-service/sql-kept-keys.js';
import { aCustomer, aKey, anAdminKey } from '../support/builders/a-panel-user.js';
import { builtProgram, type Program } from '../support/processes/built-program.js';
import { SECRETS_KEY, startPanelApi, type RunningPanelApi } from '../support/panel-api.js';
import { startPartnerApi } from '../support/partner-api.js';
import { staffCli } from '../support/processes/staff-cli.js';
import pg from 'pg';

const newKey = (name: string) => `${name}:${randomBytes(32).toString('base64')}`;

describe('a database and a key ring', () => {
  /** The same name, as `npm start` gives it to every ring, and another key. */
  const FOREIGN = newKey('k1');
  let api: RunningPanelApi;

  beforeAll(async () => {
    api = await startPanelApi({ settings: { DOCKER_HOST: 'unix:///nowhere/docker.sock' } });
    await sealOneOfEveryKind(api);
  });
  afterAll(() => api.close());

  const cli = (secretsKeys: string, ...args: string[]) =>
    staffCli({ DATABASE_URL: api.database.url, SECRETS_KEYS: secretsKeys }, [...args, '--json']);

  /** How a process ends that must not start. */
  async function startedWith(program: Program, secretsKeys: string) {
    const env = {
      PATH: process.env.PATH,
      DATABASE_URL: api.database.url,
      SECRETS_KEYS: secretsKeys,
      LOG_LEVEL: 'silent',
    };
    const child = spawn(process.execPath, [builtProgram(program)], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, stderr };
  }

  const ringLine = async (secretsKeys: string) => {
    const { json } = await cli(secretsKeys, 'doctor');
    return json.find(({ check }: { check: string }) => check === 'key ring');
  };

  it('know every sealed column of the schema', async () => {
    const client = new pg.Client(api.database.url);
    await client.connect();
    const { rows } = await client.query<{ name: string }>(
      `select table_schema || '.' || table_name || '.' || column_name as name from information_schema.columns
        where data_type = 'bytea' and table_schema not in ('pg_catalog', 'information_schema')
          and column_name ~ '(sealed|secret|password)' and column_name !~ 'hash'
          -- Sealed with the caller's key, which is kept nowhere; and the hashes of passwords.
          and table_name not in ('idempotent_answers', 'legacy_passwords') order by 1`,
    );
    await client.end();
    expect(SEALED_KINDS.map(({ table, column }) => `${table}.${column}`).sort()).toEqual(rows.map(({ name }) => name));
  });

  it('belong together when one thing of every kind opens, which doctor tries', async () => {
    const line = await ringLine(SECRETS_KEY);
    expect(line).toMatchObject({ state: 'ok' });
    for (const { what } of SEALED_KINDS) expect(line.detail).toContain(`${what} (1, key k1)`);
  });

  it('do not belong together when nothing opens: doctor fails, with the cure', async () => {
    const line = await ringLine(FOREIGN);
    expect(line).toMatchObject({ state: 'failed', cure: expect.stringContaining('restore the key ring') });
    for (const { what } of SEALED_KINDS) expect(line.detail).toContain(what);
  });

  it('keep every process with another ring from starting, and name what it could not open', async () => {
    const programs = ['partner-api', 'panel-api', 'worker'] as const;
    const ends = await Promise.all(programs.map((program) => startedWith(program, FOREIGN)));
    for (const { code, stderr } of ends) {
      expect([code, stderr.split('\n')]).toEqual([1, [expect.any(String), '']]);
      expect(stderr).toMatch(/^SECRETS_KEYS is not the key ring of this database: it cannot open /);
      expect(stderr).toContain('license signing key (1, key k1)');
      expect(stderr).toMatch(/Restore the key ring .*`npm start -- --new-keys` or `cli secrets give-up` continues/);
    }
  });

  it('get along with a newer key in front, and after a rotation without the old one', async () => {
    const newer = newKey('k2');
    const { json } = await cli(`${newer},${SECRETS_KEY}`, 'secrets', 'rotate');
    expect(json.reduce((sum: number, { unreadable }: { unreadable: number }) => sum + unreadable, 0)).toBe(0);
    const line = await ringLine(newer);
    expect(line).toMatchObject({ state: 'ok' });
    for (const { what } of SEALED_KINDS) expect(line.detail).toContain(`${what} (1, key k2)`);
    await (await startPartnerApi({ database: api.database, settings: { SECRETS_KEYS: newer } })).close();
  });

  it('go on with another ring when the old one is given up, and license states are signed again', async () => {
    const refused = await cli(FOREIGN, 'secrets', 'give-up');
    expect([refused.code, refused.json.error.code]).toEqual([2, 'confirmation-required']);
    const given = await cli(FOREIGN, 'secrets', 'give-up', '--yes');
    expect(given.json.lost).toHaveLength(SEALED_KINDS.length);
    expect(given.json.lost).toContainEqual({ what: 'license signing key', key: 'k2', count: 1 });
    const partnerApi = await startPartnerApi({ database: api.database, settings: { SECRETS_KEYS: FOREIGN } });
    expect((await fetch(`${partnerApi.url}/license-service/v1/keys`)).status).toBe(200);
    await partnerApi.close();
    expect((await ringLine(FOREIGN)).detail).not.toContain('license signing key');
  });
});

/** By the parts that seal, over as little as their tables ask for. */
async function sealOneOfEveryKind(api: RunningPanelApi): Promise<void> {
  const { app, database } = api;
  const admin = api.as(await anAdminKey(app));
  const composeYaml = 'services:\n  web:\n    image: nginx:1.27\n';
  const { body } = await admin.post('/api/v1/services', { name: 'sealed', composeYaml });
  const serviceId = body.serviceId as Uuid;
  const { user, organisation } = await aCustomer(app);
  const customer = api.as(await aKey(app, user, {}, organisation.id));
  await customer.post('/api/v1/secrets', { name: 'SEALED', value: 'kept' });
  const idToken = new SecretText('eyJ.id.token');
  await app.get(Sessions).open(user, { expiresInSeconds: 3_600, userAgent: null, idToken });

  const part = <T>(type: abstract new (...args: never[]) => T): T => app.get(type, { strict: false });
  await part(PanelBackupKey).all();
  const transactions = part(TypeOrmTransactions);
  const now = new Date();
  await transactions.run(async () => {
    const secret = new SecretText('sealed');
    await part(GitHooks).put({ serviceId, hookId: randomUUID(), secret }, now);
    await part(GitHostSettings).saveHost(serviceId, { token: secret }, now);
    await part(TemplateServices).insert(
      {
        serviceId,
        template: 'postgresql',
        serviceName: 'db',
        database: 'app',
        user: 'app',
        image: 'library/postgres:16',
        serverVersion: null,
        awaitsDataSince: null,
        createdAt: now,
      },
      new Map([['PASSWORD', secret]]),
    );
    await part(TemplateServices).beginRotation(serviceId, secret, now);
    const [key] = await transactions.writer.query<{ id: Uuid }[]>('select id from panel_auth.api_keys limit 1');
    const times = { createdAt: now, expiresAt: new Date(now.getTime() + 600_000), appliedAt: null };
    const plan = { id: randomUUID() as Uuid, apiKeyId: key!.id, kind: 'compose' as const, basis: 'b', ...times };
    await part(ChangePlanRepository).insert(plan, {});
    // An imported license is more than its key; the key is all that is looked at here.
    await transactions.writer.query('alter table licensing.kept_keys drop constraint kept_keys_license_id_fkey');
    const kept = new SqlKeptKeys(transactions, KeyRing.parse(SECRETS_KEY));
    const licenseId = randomUUID() as Uuid;
    await kept.insert([{ licenseId, sealed: kept.seal(licenseId, secret) }]);
  });
  const partnerApi = await startPartnerApi({ database });
  await fetch(`${partnerApi.url}/license-service/v1/keys`);
  await partnerApi.close();
}
