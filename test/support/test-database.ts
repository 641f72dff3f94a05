import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { createMigrationDataSource } from '#database/data-source';
import { Migrator } from '#platform/database/migrations/migrator';
import { migrateQueue } from '#platform/queue/migrate-queue';

const TEMPLATE_LOCK = 7_402_115_099;

export interface TestDatabase {
  readonly url: string;
  /** Closes all connections and drops the database. */
  drop(): Promise<void>;
}

/** Creates a fully migrated database for one test file, as a copy of a template that the first file of a run makes. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onServer(async (client) => {
    const template = await ensureTemplate(client);
    await client.query(`create database ${name} template ${template} strategy file_copy`);
  });
  return {
    url: databaseUrl(name),
    drop: () => onServer((client) => dropDatabase(client, name)),
  };
}

/** Creates a database without tables, for tests of the migrations. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const name = `empty_${randomBytes(6).toString('hex')}`;
  await onServer(async (client) => void (await client.query(`create database ${name}`)));
  return {
    url: databaseUrl(name),
    drop: () => onServer((client) => dropDatabase(client, name)),
  };
}

/**
 * Does not use "with (force)", which is refused while an autovacuum worker of the superuser is connected. A plain drop
 * asks the worker to stop and waits for it.
 */
async function dropDatabase(client: pg.Client, name: string): Promise<void> {
  await client.query(
    'select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1 and usename = current_user',
    [name],
  );
  await client.query(`drop database if exists ${name}`);
}

function serverUrl(): string {
  const url = process.env.TEST_DATABASE_URL;
  if (!url) throw new Error('TEST_DATABASE_URL is not set: run the tests by `npm test`');
  return url;
}

function databaseUrl(name: string): string {
  const url = new URL(serverUrl());
  url.pathname = `/${name}`;
  return url.href;
}

async function onServer<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: serverUrl() });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Creates the template if it does not exist. The lock ensures that only one of several Jest workers does so. */
async function ensureTemplate(client: pg.Client): Promise<string> {
  const name = `template_${migrationsHash()}`;
  await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (rowCount) return name;
    const unfinished = `${name}_new`;
    await dropDatabase(client, unfinished);
    await client.query(`create database ${unfinished}`);
    await migrate(databaseUrl(unfinished));
    await client.query(`alter database ${unfinished} rename to ${name}`);
    return name;
  } finally {
    await client.query('select pg_advisory_unlock($1)', [TEMPLATE_LOCK]);
  }
}

async function migrate(url: string): Promise<void> {
  const dataSource = createMigrationDataSource(url);
  await dataSource.initialize();
  await new Migrator(dataSource).up();
  await dataSource.destroy();
  await migrateQueue(url);
}

function migrationsHash(): string {
  const folder = path.resolve(__dirname, '../../database/migrations');
  const hash = createHash('sha256');
  for (const file of readdirSync(folder).sort()) hash.update(file).update(readFileSync(path.join(folder, file)));
  return hash.digest('hex').slice(0, 16);
}
