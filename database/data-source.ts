import { DataSource } from 'typeorm';
import { dataSourceOptions } from '#platform/database/database.module';
import { entities } from './entities.js';
import { migrations } from './migrations/index.js';

/** The data source that migrates; its time limits are off because a migration may take as long as it must. */
export function createMigrationDataSource(url: string): DataSource {
  const options = dataSourceOptions({ url, poolSize: 2, applicationName: 'tenantry-migrate', entities, migrations });
  return new DataSource({ ...options, extra: { connectionTimeoutMillis: 5_000 } });
}
