import { DataSource } from 'typeorm';
import { dataSourceOptions } from '#platform/database/database.module';
import { entities } from './entities.js';
import { migrations } from './migrations/index.js';

/**
 * The data source for migrations, without time limits because a migration may take as long as it needs.
 * @param only names of the migrations to load; null for all
 */
export function createMigrationDataSource(url: string, only: readonly string[] | null = null): DataSource {
  const known = migrations.filter(({ name }) => only === null || only.includes(name));
  const parts = { applicationName: 'tenantry-migrate', entities, migrations: known };
  const options = dataSourceOptions({ url, poolSize: 2, ...parts });
  return new DataSource({ ...options, extra: { connectionTimeoutMillis: 5_000 } });
}
