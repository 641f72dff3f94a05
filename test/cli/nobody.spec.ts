import { randomUUID } from 'node:crypto';
import { cli } from '../support/processes/cli.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const NOBODY = randomUUID();
const TERMS = ['--reference', 'x', '--model', 'trial', '--currency', 'EUR', '--unit-price-cents', '0'];

describe('a staff command about what does not exist', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database?.drop());

  it.each([
    ['partners create --name x --type hoster --parent', []],
    ['partners move', ['--parent', NOBODY]],
    ['contracts create --partner', [...TERMS, '--valid-from', '2026-01-01']],
    ['contracts list --partner', []],
    ['contracts end', ['--valid-to', '2026-01-01']],
    ['tokens create --partner', ['--label', 'x', '--scope', 'read']],
    ['tokens list --partner', []],
    ['tokens revoke', []],
    ['usage recompute --partner', []],
    ['statements list --partner', []],
    ['statements show', []],
    ['statements review --period 2026-01 --by Ada --partner', []],
    ['statements correct', ['--by', 'Ada', '--reason', 'x', '--yes']],
    ['ledger verify --license', []],
    ['orgs create --name x --parent', []],
    ['orgs quota', []],
    ['members list --org', []],
  ])('%s … is refused, and names it', async (words, more) => {
    const { code, stdout } = await cli(database.url, [...words.split(' '), NOBODY, ...more, '--json']);
    const { error } = JSON.parse(stdout) as { error: { code: string; message: string } };
    expect([code, error.code]).toEqual([1, 'not-found']);
    expect(error.message).toContain(NOBODY);
  });
});
