import { type Check, type Command, reports, succeeds, tabbedFacts } from '../../checks.js';
import { secret } from '../../recipe.js';
import { PASSWORD, type TemplateInput } from '../../template.js';
import { memorySettings } from './settings.js';

export function psql({ user, database }: TemplateInput, sql: string, password: string): Command {
  const args = ['-h', '127.0.0.1', '-U', user, '-d', database, '-X', '-A', '-t', '-q', '-v', 'ON_ERROR_STOP=1'];
  return {
    command: ['psql', ...args, '-c', sql],
    environment: { PGPASSWORD: [secret(password)], PGCONNECT_TIMEOUT: '10' },
  };
}

const REPORTED = `
  select name || chr(9) || setting from pg_settings where name in (
    'shared_buffers', 'effective_cache_size', 'work_mem', 'maintenance_work_mem', 'max_connections',
    'shared_preload_libraries', 'pg_stat_statements.track', 'wal_level', 'archive_mode', 'archive_timeout',
    'autovacuum', 'password_encryption', 'data_checksums')
  union all select 'extension' || chr(9) || extname from pg_extension where extname = 'pg_stat_statements'
  union all select 'archive_command' || chr(9) || (current_setting('archive_command') like '%wal_archive%')::text`;

const PAGES_PER_MB = 128;
const KB_PER_MB = 1024;

export function checks(input: TemplateInput): readonly Check[] {
  const memory = memorySettings(input);
  return [
    {
      name: 'create the extension for statement statistics',
      // Needed on a restored volume too, where the image runs no init script.
      ...psql(input, 'CREATE EXTENSION IF NOT EXISTS pg_stat_statements', PASSWORD),
      defect: succeeds,
    },
    {
      name: 'the settings of the template are in force',
      ...psql(input, REPORTED, PASSWORD),
      defect: reports(tabbedFacts, {
        shared_buffers: memory.sharedBuffersMb * PAGES_PER_MB,
        effective_cache_size: memory.effectiveCacheSizeMb * PAGES_PER_MB,
        work_mem: memory.workMemMb * KB_PER_MB,
        maintenance_work_mem: memory.maintenanceWorkMemMb * KB_PER_MB,
        max_connections: memory.maxConnections,
        shared_preload_libraries: 'pg_stat_statements',
        'pg_stat_statements.track': 'all',
        wal_level: 'replica',
        archive_mode: 'on',
        archive_timeout: 300,
        archive_command: 'true',
        autovacuum: 'on',
        password_encryption: 'scram-sha-256',
        data_checksums: 'on',
        extension: 'pg_stat_statements',
      }),
    },
  ];
}
