import { licenseLine, ownerLines, transferLine } from '../support/builders/import-lines.js';
import { cli } from '../support/processes/cli.js';
import { importFile, jsonLines, type Line } from '../support/licensing/import-file.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

describe('an imported history that is then billed', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });

  afterAll(() => database.drop());

  const json = async (...args: string[]) => {
    const { code, stdout, stderr } = await cli(database.url, [...args, '--json']);
    expect([code, stderr, code === 0 ? '' : stdout]).toEqual([0, '', '']);
    return JSON.parse(stdout);
  };

  const importAll = async (...lines: Line[]) => {
    const { file, remove } = importFile(jsonLines(lines));
    try {
      return await json('import', file);
    } finally {
      remove();
    }
  };

  it('is finalized by the CLI, and flagged when a later import changes it', async () => {
    await importAll(
      ...ownerLines('a'),
      ...ownerLines('b', { unitPriceCents: 3000 }),
      licenseLine('l'),
      transferLine('l', 'b', '2024-06-11'),
    );
    await json('statements', 'finalize', '--period', '2024-06', '--by', 'test', '--review', '--yes');
    const finalized = await json('statements', 'list', '--period', '2024-06');
    // 1000 * 10 / 30 and 3000 * 20 / 30.
    const amounts = finalized.map(({ totals }: { totals: { amountCents: number }[] }) => totals[0]?.amountCents);
    expect(amounts.sort()).toEqual([2000, 333]);
    expect(await json('statements', 'list', '--needs-correction')).toEqual([]);
    await importAll(...ownerLines('c'), licenseLine('late', { issuedAt: '2024-06-30' }));
    const flagged = await json('statements', 'list', '--needs-correction');
    expect(flagged).toMatchObject([{ periodStart: '2024-06-01', totals: [{ amountCents: 333 }] }]);
    await importAll(transferLine('l', 'c', '2024-06-20'));
    expect(await json('statements', 'list', '--needs-correction')).toHaveLength(2);
    expect((await json('ledger', 'verify')).intact).toBe(true);
  });
});
