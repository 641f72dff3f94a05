import pg from 'pg';
import { KEYED_PLANS } from '#platform/database/batching/named-statement';
import { ACTIVATE } from '../../libs/licensing/src/infrastructure/writing/issue-statement.js';
import { LEFT } from '../../libs/licensing/src/infrastructure/sql-open-handovers.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

/** Statements on tables that most often are empty, and their plans while they are. */
describe('statements that find by key', () => {
  let database: TestDatabase;
  let client: pg.Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.url, options: KEYED_PLANS });
    await client.connect();
    await client.query('vacuum (analyze) licensing.key_handovers, licensing.reservations');
  });

  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  it.each([
    { statement: LEFT, table: 'key_handovers' },
    { statement: ACTIVATE, table: 'reservations' },
  ])('$statement.name never walks over $table', async ({ statement, table }) => {
    const name = statement.name.replaceAll('-', '_');
    await client.query(`prepare ${name} as ${statement.text}`);
    const parameters = new Set(statement.text.match(/\$\d+/g)).size;
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `explain (costs off) execute ${name} (${Array.from({ length: parameters }, () => 'null').join(', ')})`,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(new RegExp(`(Index|Bitmap Index) Scan (using|on) ${table}_pkey`));
    expect(plan).not.toMatch(new RegExp(`Seq Scan on ${table}`));
  });

  it('are never compiled, whatever they seem to cost', async () => {
    const { rows } = await client.query<{ jit: string }>('show jit');
    expect(rows).toEqual([{ jit: 'off' }]);
  });
});
