import pg from 'pg';
import { DataSource } from 'typeorm';
import { createMigrationDataSource } from '#database/data-source';
import { sqlOnlyTables } from '#database/sql-only-tables';
import { Migrator } from '#platform/database/migrations/migrator';
import { staffCli } from '../support/processes/staff-cli.js';
import { createEmptyDatabase, type TestDatabase } from '../support/test-database.js';

/** What the entities do not say and the SQL alone knows: constraints and indexes. */
const SQL_ONLY = /^(DROP INDEX|ALTER TABLE \S+ DROP CONSTRAINT)/;

describe('migrations', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let migrator: Migrator;

  beforeAll(async () => {
    database = await createEmptyDatabase();
    dataSource = createMigrationDataSource(database.url);
    await dataSource.initialize();
    migrator = new Migrator(dataSource);
  });

  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const schema = async () =>
    JSON.stringify(
      await dataSource.query(`
        select table_schema, table_name, column_name, data_type, is_nullable, column_default
          from information_schema.columns
         where table_schema not in ('pg_catalog', 'information_schema', 'public') order by 1, 2, 3`),
    );

  it('tell what is pending on an empty database without writing to it', async () => {
    expect((await migrator.status()).every((migration) => !migration.applied)).toBe(true);
    expect(await dataSource.query(`select 1 from information_schema.tables where table_schema = 'public'`)).toEqual([]);
  });

  it('go up, each undone and redone to the same schema, and all the way down', async () => {
    const applied = await migrator.up();
    expect(applied).toEqual((await migrator.status()).map((migration) => migration.name));
    const full = await schema();
    for (let step = 1; step <= applied.length; step++) {
      for (let i = 0; i < step; i++) expect(await migrator.down()).toBe(applied[applied.length - 1 - i]);
      await migrator.up();
      expect(await schema()).toBe(full);
    }
    for (const name of [...applied].reverse()) expect(await migrator.down()).toBe(name);
    expect(await migrator.down()).toBeNull();
    expect(await schema()).toBe('[]');
  });

  it('are undone by the staff CLI when somebody says yes, and not while a process is connected', async () => {
    await migrator.up();
    const newest = await migrator.newest();
    const down = (...more: string[]) =>
      staffCli({ DATABASE_URL: database.url }, ['migrate', 'down', '--json', ...more]);
    const unasked = await down();
    expect([unasked.code, unasked.json.error.code]).toEqual([2, 'confirmation-required']);
    const worker = new pg.Client({ connectionString: database.url, application_name: 'tenantry-worker' });
    await worker.connect();
    const refused = await down();
    expect([refused.code, refused.json.error]).toEqual([
      1,
      { code: 'processes-connected', message: 'Stop these first, they use the schema: tenantry-worker.' },
    ]);
    expect(await migrator.newest()).toBe(newest);
    expect((await down('--yes')).json).toEqual({ reverted: newest });
    await worker.end();
    while (await migrator.down());
  });

  it('run once when several processes start at once', async () => {
    const others = await Promise.all(
      [1, 2, 3].map(async () => {
        const own = createMigrationDataSource(database.url);
        await own.initialize();
        const applied = await new Migrator(own).up();
        await own.destroy();
        return applied.length;
      }),
    );
    expect(others.filter((count) => count > 0)).toHaveLength(1);
    expect(await migrator.pending()).toEqual([]);
  });

  it('make exactly the columns that the entities map', async () => {
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    const drift = upQueries.map((statement) => statement.query).filter((query) => !SQL_ONLY.test(query));
    expect(drift).toEqual([]);
  });

  it('make no table that is neither mapped nor listed as SQL only', async () => {
    const rows = await dataSource.query<{ name: string }[]>(
      `select format('%s.%s', schemaname, tablename) as name from pg_tables
        where schemaname not in ('pg_catalog', 'information_schema', 'public')`,
    );
    const mapped = dataSource.entityMetadatas.map((entity) => entity.tablePath);
    const listed = [...mapped, ...Object.keys(sqlOnlyTables)];
    expect(rows.map((row) => row.name).sort()).toEqual(listed.sort());
    expect(new Set(listed).size).toBe(listed.length);
  });

  it('are found wanting when an entity has a column of which no migration knows', async () => {
    await dataSource.query('alter table tokens.api_tokens drop column last_used_at');
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    expect(upQueries.map((statement) => statement.query).filter((query) => !SQL_ONLY.test(query))).toEqual([
      expect.stringContaining('"last_used_at"'),
    ]);
  });
});
