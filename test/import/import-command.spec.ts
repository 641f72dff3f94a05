import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { builtProgram } from '../support/processes/built-program.js';
import pg from 'pg';
import { IMPORT_LOCK } from '../../libs/licensing/src/infrastructure/import/sql-import-staging.js';
import { BUILDER_LOCK } from '../../libs/licensing/src/infrastructure/sql/sql-list-marks.js';
import { contactLine, eventLine, licenseLine, ownerLines, transferLine } from '../support/builders/import-lines.js';
import { importFile, jsonLines, type Line } from '../support/licensing/import-file.js';
import { staffCli } from '../support/processes/staff-cli.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const MAIN = builtProgram('cli');
const KEY = 'LEGACY-KEY-QZWX-ABCDEF';

const HISTORY: Line[] = [
  ...ownerLines('a'),
  ...ownerLines('b', {}, { parentRef: 'a' }),
  contactLine('ada', 'a-customer', { isPrimary: true }),
  licenseLine('l1', { key: KEY }),
  eventLine('l1', 'license.edition_changed', '2024-04-01', { actor: 'staff@old.example' }),
  transferLine('l1', 'b', '2024-05-10'),
  licenseLine('l2', { state: 'terminated', terminatedAt: '2024-06-30T12:00:00Z' }),
];

const COUNTS = { partner: 2, contract: 2, customer: 2, contact: 1, license: 2, event: 1, transfer: 1 };
const NONE = { partner: 0, contract: 0, customer: 0, contact: 0, license: 0, event: 0, transfer: 0 };

/**
 * The tests share a database and follow one another: the first begins with an empty one, the others find HISTORY in it.
 */
describe('cli import', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });

  afterAll(() => database.drop());

  const command = (...args: string[]) => staffCli({ DATABASE_URL: database.url }, args);

  async function run(lines: readonly Line[] | string, ...args: string[]) {
    const { file, remove } = importFile(typeof lines === 'string' ? lines : jsonLines(lines));
    try {
      const { code, out, err, json: body } = await command('import', file, ...args, '--json');
      return { code, stdout: out, stderr: err, body };
    } finally {
      remove();
    }
  }

  /** Rows of every table that an import writes to. */
  async function everything(): Promise<unknown> {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const tables = ['partners.partners', 'partners.subtrees', 'billing.contracts', 'customers.customers'].concat(
      ['customers.contacts', 'customers.subtree_index', 'licensing.licenses', 'licensing.ledger_events'],
      ['licensing.ownership_spans', 'licensing.transfers', 'licensing.subtree_index', 'licensing.transfer_index'],
      ['license_service.licenses', 'licensing.imported_lines', 'licensing.pack_draws'],
    );
    const contents: Record<string, unknown> = {};
    for (const table of tables) {
      contents[table] = (
        await client.query(`select md5(coalesce(string_agg(t::text, ',' order by t::text), ''))
        as hash, count(*) from ${table} t`)
      ).rows;
    }
    await client.end();
    return contents;
  }

  async function one(sql: string): Promise<unknown> {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query(sql);
    await client.end();
    return rows[0].value;
  }

  it('changes nothing in a dry run', async () => {
    const before = await everything();
    const { code, body } = await run(HISTORY, '--dry-run');
    expect([code, body]).toEqual([0, { dryRun: true, imported: COUNTS, skipped: NONE }]);
    expect(await everything()).toEqual(before);
  });

  it('imports a file, reports what it imported, and leaves a ledger that verifies', async () => {
    const { code, body } = await run(HISTORY);
    expect([code, body]).toEqual([0, { dryRun: false, imported: COUNTS, skipped: NONE }]);
    const verified = await command('ledger', 'verify', '--json');
    expect(verified.json).toEqual({ intact: true, licenses: 2, events: 6, broken: null });
    // The dry run has not used up a number.
    expect(await one('select number::integer as value from customers.customers order by number limit 1')).toBe(1);
  });

  it('skips every line of a known file, in any order of lines and keys', async () => {
    const before = await everything();
    const again = [...HISTORY].reverse().map((line) => Object.fromEntries(Object.entries(line).reverse()));
    expect((await run(again)).body).toEqual({ dryRun: false, imported: NONE, skipped: COUNTS });
    expect(await everything()).toEqual(before);
  });

  it('refuses a known ref with different contents', async () => {
    const before = await everything();
    const changed = HISTORY.map((line) => (line.ref === 'l2' ? { ...line, edition: 'web-pro' } : line));
    const { code, body } = await run(changed);
    expect(code).toBe(1);
    expect(body.error.code).toBe('import-refused');
    expect(body.error.message).toBe('Nothing was imported.\nline 11: ref was imported before with different contents');
    expect(await everything()).toEqual(before);
  });

  it('imports nothing from a file whose last line is wrong', async () => {
    const before = await everything();
    const right = [
      ...ownerLines('c'),
      licenseLine('l8'),
      licenseLine('l8-moved'),
      transferLine('l8', 'c', '2024-05-10'),
    ];
    const { code, body } = await run([...right, licenseLine('l9', { customerRef: 'nobody' })]);
    expect(code).toBe(1);
    expect(body.error.message).toBe(
      'Nothing was imported.\nline 7: customerRef refers to a customer that does not exist',
    );
    const { code: late } = await run([...right, transferLine('l2', 'b', '2024-07-01')]);
    expect(late).toBe(1);
    expect(await everything()).toEqual(before);
  });

  it('continues from an earlier file: new lines may refer to its records', async () => {
    const more = [licenseLine('l3'), transferLine('l3', 'b', '2024-07-01'), transferLine('l1', 'a', '2024-08-01')];
    const { body } = await run([...HISTORY, ...more]);
    expect(body).toEqual({ dryRun: false, imported: { ...NONE, license: 1, transfer: 2 }, skipped: COUNTS });
    const verified = await command('ledger', 'verify', '--json');
    expect(verified.json).toMatchObject({ intact: true, licenses: 3, events: 11 });
  });

  it('reports a hundred problems in full and the number of the others', async () => {
    const wrong = Array.from({ length: 250 }, (_, index) => licenseLine(`wrong-${index}`, { edition: 'nonsense' }));
    const { body } = await run([...ownerLines('a'), ...wrong]);
    const told = body.error.message.split('\n');
    expect(told).toHaveLength(102);
    expect(told[1]).toBe('line 4: edition must be one of power-user, web-host, web-pro, web-admin');
    expect(told.at(-1)).toBe('and 150 more');
  });

  it('never shows or stores a key', async () => {
    const { stdout, stderr } = await run([...HISTORY, licenseLine('l4', { key: KEY })]);
    expect(stdout).toContain('line 12: key belongs to another license');
    const twice = await run([licenseLine('l5', { key: `${KEY}2` }), licenseLine('l6', { key: `${KEY}2` })]);
    expect(twice.stdout).toContain('line 2: key is used by another line');
    const broken = await run(
      `{"type":"license","key":"${KEY}",}\n{"type":"license","key":"${KEY}","state":"${KEY}"}\n`,
    );
    const stored = await one(
      `select (select string_agg(l::text, '') from licensing.licenses l) ||
              (select string_agg(l::text, '') from licensing.imported_lines l) ||
              (select string_agg(l::text, '') from licensing.ledger_events l) ||
              (select string_agg(l::text, '') from license_service.licenses l) as value`,
    );
    expect(stored).toContain('…ABCDEF');
    for (const text of [stdout, stderr, twice.stdout, broken.stdout, broken.stderr, stored]) {
      expect(text).not.toContain('QZWX');
    }
  });

  it('is blocked by another import only, not by other locks', async () => {
    const { file, remove } = importFile(jsonLines(HISTORY));
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query('begin');
    await client.query(`select pg_advisory_xact_lock(${BUILDER_LOCK})`);
    expect((await command('import', file, '--dry-run', '--json')).code).toBe(0);
    await client.query(`select pg_advisory_xact_lock(${IMPORT_LOCK})`);
    expect((await command('import', file, '--dry-run', '--json')).json.error.code).toBe('import-running');
    await client.end();
    remove();
  });

  it.each([
    ['a file that is not there', 'no-such-file.jsonl', 'file cannot be read'],
    ['a folder', '.', 'file cannot be read'],
  ])('refuses %s', async (_what, file, message) => {
    const { code, json } = await command('import', file, '--json');
    expect([code, json.error.message]).toEqual([1, message]);
  });

  it('shows a table at a terminal, and requires a file', async () => {
    const { file, remove } = importFile(jsonLines(HISTORY));
    const table = await command('import', file, '--dry-run');
    remove();
    expect(table.out).toContain('Nothing was changed.');
    expect(table.out).toMatch(/│ license +│ 0 +│ 2 +│/);
    expect((await command('import')).code).toBe(2);
    expect((await command('import', '--help')).out).toContain('Example: cli import');
  });

  it('leaves nothing when its process is killed in the middle', async () => {
    const licenses = Array.from({ length: 8_000 }, (_, index) => licenseLine(`killed-${index}`));
    const { file, remove } = importFile(jsonLines([...ownerLines('a'), ...licenses]));
    const before = await everything();
    const numbered = Number(await one('select last_value as value from licensing.license_numbers'));
    const child = spawn(process.execPath, [MAIN, 'import', file], {
      env: { PATH: process.env.PATH, DATABASE_URL: database.url },
      stdio: 'ignore',
    });
    await licensesBeingWritten(numbered);
    child.kill('SIGKILL');
    const [, signal] = await once(child, 'exit');
    remove();
    expect(signal).toBe('SIGKILL');
    await noImportLeft();
    expect(await everything()).toEqual(before);
    expect((await run([...HISTORY, licenseLine('l7')])).body.imported).toEqual({ ...NONE, license: 1 });
  });

  /** The sequence of the licenses' numbers is the one trace that an open transaction shows to others. */
  async function licensesBeingWritten(numbered: number): Promise<void> {
    await until(`select last_value > ${numbered + 2_000} as done from licensing.license_numbers`);
  }

  async function noImportLeft(): Promise<void> {
    await until(
      `select count(*) = 0 as done from pg_stat_activity where datname = current_database()
          and application_name = 'tenantry-cli'`,
    );
  }

  async function until(sql: string): Promise<void> {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const deadline = Date.now() + 40_000;
    try {
      while (!(await client.query(sql)).rows[0].done) {
        if (Date.now() > deadline) throw new Error(`never came true: ${sql}`);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    } finally {
      await client.end();
    }
  }
});
