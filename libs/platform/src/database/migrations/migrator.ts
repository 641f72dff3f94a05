import type { DataSource } from 'typeorm';

/** Any number; the same in all processes, so that migrations never run twice at once. */
const MIGRATION_LOCK = 7_402_115_001;

export interface MigrationStatus {
  readonly name: string;
  readonly applied: boolean;
}

/** Migrates the schema up and down, one process at a time. */
export class Migrator {
  constructor(private readonly dataSource: DataSource) {}

  /** @returns the names of the applied migrations, oldest first */
  up(): Promise<string[]> {
    return this.exclusively(async () => {
      const done = await this.dataSource.runMigrations({ transaction: 'each' });
      return done.map((migration) => migration.name);
    });
  }

  /**
   * Reverts the newest migration.
   * @returns its name, or null if there is none
   */
  down(): Promise<string | null> {
    return this.exclusively(async () => {
      const newest = await this.newest();
      if (newest) await this.dataSource.undoLastMigration({ transaction: 'each' });
      return newest;
    });
  }

  /** Every known migration, oldest first. Writes nothing, even on an empty database. */
  async status(): Promise<MigrationStatus[]> {
    const [{ known }] = await this.dataSource.query<[{ known: boolean }]>(
      "select to_regclass('public.migrations') is not null as known",
    );
    const rows: { name: string }[] = known ? await this.dataSource.query('select name from public.migrations') : [];
    const applied = new Set(rows.map((row) => row.name));
    return this.dataSource.migrations
      .map((migration) => migration.name ?? migration.constructor.name)
      .sort((a, b) => a.slice(-13).localeCompare(b.slice(-13)))
      .map((name) => ({ name, applied: applied.has(name) }));
  }

  /** The name of the migration that `down` would revert; null if there is none. */
  async newest(): Promise<string | null> {
    return (await this.status()).filter((migration) => migration.applied).at(-1)?.name ?? null;
  }

  /** Our processes that are connected to this database, by their application names. */
  async connectedProcesses(): Promise<string[]> {
    const rows = await this.dataSource.query<{ name: string }[]>(
      `select distinct application_name as name from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()
          and application_name in ('tenantry-partner-api', 'tenantry-panel-api', 'tenantry-worker') order by 1`,
    );
    return rows.map(({ name }) => name);
  }

  async pending(): Promise<string[]> {
    return (await this.status()).filter((migration) => !migration.applied).map((migration) => migration.name);
  }

  private async exclusively<T>(work: () => Promise<T>): Promise<T> {
    const lock = this.dataSource.createQueryRunner();
    await lock.connect();
    try {
      await lock.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
      return await work();
    } finally {
      await lock.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
      await lock.release();
    }
  }
}
