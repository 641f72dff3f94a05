import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { createMigrationDataSource } from '#database/data-source';
import { SEALED_KINDS } from '#database/sealed-kinds';
import { KeyRing } from '#platform/key-ring';
import { surveySealed } from '#platform/sealed/survey-sealed';
import { tableDumps } from '../support/database-dump.js';
import { SECRETS_KEY } from '../support/secrets-keys.js';
import { staffCli } from '../support/processes/staff-cli.js';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/test-database.js';

const digest = (text: string) => createHash('sha256').update(text.split('\n').sort().join('\n')).digest('hex');

/** A short hash of the rows of every table except the queue's, regardless of their order. */
async function contentOf(url: string): Promise<Record<string, string>> {
  const tables = [...(await tableDumps(url))].filter(([name]) => !/^(bullmq\.|public\.migrations)/.test(name));
  return Object.fromEntries(tables.map(([name, rows]) => [name, digest(rows)]));
}

describe("a backup of the panel's own database and key ring", () => {
  let folder: string;
  let source: TestDatabase;
  let file: string;
  const empties: TestDatabase[] = [];
  const env = (url: string, more: Record<string, string> = {}) => ({
    DATABASE_URL: url,
    BACKUP_DIR: path.join(folder, 'store'),
    EDITIONS: 'power-user,web-host,web-pro,web-admin',
    ...more,
  });
  const ownRing = { SECRETS_KEYS: SECRETS_KEY };
  const anEmptyDatabase = async () => {
    empties.push(await createEmptyDatabase());
    return empties.at(-1)!.url;
  };

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'self-backup-'));
    source = await createTestDatabase();
    const demo = await staffCli(env(source.url, ownRing), ['demo', '--json']);
    expect(demo).toMatchObject({ code: 0 });
    const made = await staffCli(env(source.url, ownRing), ['backup', 'self', '--json']);
    expect(made).toMatchObject({ code: 0 });
    file = path.join(folder, 'store', made.json.key);
    expect(statSync(file).size).toBe(made.json.sizeBytes);
    expect(createHash('sha256').update(readFileSync(file)).digest('hex')).toBe(made.json.sha256);
  });
  afterAll(async () => {
    for (const database of [source, ...empties]) await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  it('is restored with the key ring into an empty database: rows, secrets and a ledger that can be verified', async () => {
    const url = await anEmptyDatabase();
    const restored = await staffCli(env(url, ownRing), ['restore', 'self', file, '--json']);
    expect(restored).toMatchObject({ code: 0 });
    expect(restored.json.rows).toBeGreaterThan(50);
    expect(await contentOf(url)).toEqual(await contentOf(source.url));
    const ledger = await staffCli(env(url, ownRing), ['ledger', 'verify', '--json']);
    expect(ledger).toMatchObject({ code: 0 });
    const dataSource = await createMigrationDataSource(url).initialize();
    const secrets = await surveySealed(dataSource, KeyRing.parse(SECRETS_KEY), SEALED_KINDS);
    await dataSource.destroy();
    expect(secrets.length).toBeGreaterThan(0);
    expect(secrets.filter(({ opens }) => !opens)).toEqual([]);
  });

  it('has foreign keys, sequences and triggers after a restore', async () => {
    const rules = async (url: string) => {
      const client = new pg.Client(url);
      await client.connect();
      const { rows } = await client.query<{ rule: string }>(
        `select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated) as rule from pg_constraint
          where connamespace::regnamespace::text not in ('pg_catalog', 'information_schema', 'bullmq')
         union all select concat_ws(' ', tgrelid::regclass, tgname, tgenabled) from pg_trigger where not tgisinternal
         union all select concat_ws(' ', schemaname, sequencename, last_value) from pg_sequences where schemaname <> 'bullmq'
         order by 1`,
      );
      await client.end();
      return rows.map(({ rule }) => rule).filter((rule) => !rule.includes('migrations'));
    };
    expect(await rules(empties[0]!.url)).toEqual(await rules(source.url));
  });

  it('is restored with the private key alone, and contains the key ring', async () => {
    const exported = await staffCli(env(source.url, ownRing), ['backups', 'keys', '--export']);
    const identity = path.join(folder, 'key.txt');
    writeFileSync(identity, exported.out);
    const secrets = path.join(folder, 'secrets.json');
    const url = await anEmptyDatabase();
    const args = ['restore', 'self', file, '--identity', identity, '--secrets', secrets, '--json'];
    expect(await staffCli(env(url), args)).toMatchObject({ code: 0 });
    expect(JSON.parse(readFileSync(secrets, 'utf8'))).toEqual({ secretsKeys: SECRETS_KEY });
    expect(statSync(secrets).mode & 0o777).toBe(0o600);
    const keys = await staffCli(env(url, ownRing), ['backups', 'keys', '--json']);
    expect(keys.json.publicKey).toBe(/age1\w+/.exec(exported.out)![0]);
  });

  it('shows the public key only, and its file does not contain the key ring in plain text', async () => {
    const shown = await staffCli(env(source.url, ownRing), ['backups', 'keys']);
    expect(shown.out).toMatch(/^age1\w{58}\n$/);
    expect(readFileSync(file).includes(SECRETS_KEY)).toBe(false);
  });

  it.each([
    [
      'another key ring',
      () => ({ SECRETS_KEYS: `k9:${randomBytes(32).toString('base64')}` }),
      () => file,
      /opens this file/,
    ],
    ['no key at all', () => ({}), () => file, /Nothing opens the file/],
    ['a file that was cut off', () => ownRing, () => cut(file, path.join(folder, 'cut.age')), /cut off/],
    [
      'a file that is something else',
      () => ownRing,
      () => path.join(__dirname, 'self-backup.spec.ts'),
      /no backup of the panel/,
    ],
    ['a file that is not there', () => ownRing, () => path.join(folder, 'nothing.age'), /cannot be read/],
  ])('is refused with %s, and the database stays empty', async (_, settings, given, told) => {
    const url = await anEmptyDatabase();
    const refused = await staffCli(env(url, settings()), ['restore', 'self', given(), '--json']);
    expect(refused.code).toBe(1);
    expect(refused.json.error.message).toMatch(told);
    expect([...(await tableDumps(url)).keys()]).toEqual([]);
  });

  it('is not restored into a database that is not empty', async () => {
    const before = await contentOf(source.url);
    const refused = await staffCli(env(source.url, ownRing), ['restore', 'self', file, '--json']);
    expect(refused).toMatchObject({ code: 1, json: { error: { code: 'restore-refused' } } });
    expect(await contentOf(source.url)).toEqual(before);
  });

  it('is removed when there are more than the number to keep', async () => {
    for (let i = 0; i < 2; i++) {
      const clock = { now: () => new Date(Date.UTC(2031, 0, 1 + i)) };
      const args = ['backup', 'self', '--keep', '2', '--json'];
      expect(await staffCli(env(source.url, ownRing), args, '', clock)).toMatchObject({ code: 0 });
    }
    const url = await anEmptyDatabase();
    const newest = 'self/panel-20310102T000000Z.tar.gz.age';
    expect(await staffCli(env(url, ownRing), ['restore', 'self', newest, '--json'])).toMatchObject({ code: 0 });
    expect(() => statSync(file)).toThrow('ENOENT');
  });
});

function cut(file: string, to: string): string {
  writeFileSync(to, readFileSync(file));
  truncateSync(to, statSync(file).size - 40);
  return to;
}
