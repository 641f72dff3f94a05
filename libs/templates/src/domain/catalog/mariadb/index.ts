import type { Uuid } from '#kernel/crypto/uuid';
import { tabbedFacts, reports, type Check, type Command } from '../../checks.js';
import { type Recipe, SECRETS_FOLDER, secret } from '../../recipe.js';
import { NEW_PASSWORD, PASSWORD, type Template, type TemplateInput } from '../../template.js';
import { bufferPoolMb } from '../../tuning.js';
import { commonVariables } from '../../variables.js';

const ROOT_PASSWORD = 'DB_ROOT_PASSWORD';
const CLIENT = ['mariadb', '--no-defaults', '--batch', '--skip-column-names'];

export const mariadb: Template = {
  id: '6f0c4b52-8a1e-4c39-9d56-0a1f5e7c1003' as Uuid,
  slug: 'mariadb',
  name: 'MariaDB',
  description:
    'Community fork of the popular open-source relational database. Thread pool, utf8mb4, binary log and crash-safe ' +
    'temporary tables (Aria).',
  category: 'database',
  kind: 'mariadb',
  version: '11',
  image: { repository: 'library/mariadb', tag: '11.8', versionVariable: 'MARIADB_VERSION' },
  seriesParts: 2,
  defaultPort: 3306,
  minRamMb: 512,
  security: 'secure',
  tags: ['sql', 'relational'],
  documentationUrl: 'https://mariadb.com/docs/server',
  variables: commonVariables({
    databaseApplies: true,
    userApplies: true,
    reservedDatabases: ['mysql', 'information_schema', 'performance_schema', 'sys', 'test'],
    reservedUsers: ['root', 'mysql', 'mariadb', 'healthcheck', 'public'],
  }),
  volumes: [{ name: 'data', path: '/var/lib/mysql' }],
  ports: [{ port: 3306, protocol: 'tcp', exposure: 'internal' }],
  backup: { method: 'mariadb-dump', supportsPitr: true },
  createdAt: new Date('2026-11-24T00:00:00Z'),
  updatedAt: new Date('2026-11-24T00:00:00Z'),
  credentialsForAdminsAlone: false,
  ownSecrets: [ROOT_PASSWORD],
  recipe,
  access: ({ database, user }) => ({
    port: 3306,
    database,
    username: user,
    isApiKey: false,
    connectionString: (host, password) => `mysql://${user}:${encodeURIComponent(password)}@${host}:3306/${database}`,
  }),
  login: (input, password) => ({
    ...asUser(input, 'SELECT 1', password),
    succeeded: ({ exitCode }) => exitCode === 0,
  }),
  checks,
  serverVersion: (input) => asUser(input, 'SELECT VERSION()', PASSWORD),
  changePassword: ({ user }) => ({
    // Kept out of the binary log, so that a point-in-time recovery does not restore an old password.
    command: [
      'sh',
      '-c',
      `printf "SET SESSION sql_log_bin=0; ALTER USER '%s'@'%%' IDENTIFIED BY '%s';\\n" ${user} "$NEW" | ` +
        `${CLIENT.join(' ')} --protocol=socket -uroot`,
    ],
    environment: { NEW: [secret(NEW_PASSWORD)], MYSQL_PWD: [secret(ROOT_PASSWORD)] },
  }),
};

function poolThreads({ cpuCores }: TemplateInput): number {
  return Math.max(1, Math.ceil(cpuCores));
}

function recipe(input: TemplateInput): Recipe {
  const file = (name: string, content: string) => ({
    name,
    path: `${SECRETS_FOLDER}/${name}`,
    content: [secret(content)],
    uid: 0,
    gid: 0,
    mode: 0o400,
  });
  return {
    command: [
      'mariadbd',
      '--thread-handling=pool-of-threads',
      `--thread-pool-size=${poolThreads(input)}`,
      '--thread-pool-max-threads=500',
      // A port for the panel when the pool is full. It is reachable only on the container's networks.
      '--extra-port=3307',
      '--extra-max-connections=3',
      '--character-set-server=utf8mb4',
      '--collation-server=utf8mb4_unicode_ci',
      '--default-storage-engine=InnoDB',
      '--default-tmp-storage-engine=Aria',
      '--aria-recover-options=BACKUP,QUICK',
      '--aria-pagecache-buffer-size=16M',
      `--innodb-buffer-pool-size=${bufferPoolMb(input.memoryMb, 0.3)}M`,
      '--log-bin=mariadb-bin',
      '--binlog-format=ROW',
      '--expire-logs-days=3',
      // Else a server without replicas keeps its logs for ever.
      '--loose-slave-connections-needed-for-purge=0',
      '--server-id=1',
      '--sync-binlog=1',
      '--max-binlog-size=128M',
      // Rows are logged, not statements, so that users without SUPER may create triggers and functions.
      '--loose-log-bin-trust-function-creators=1',
    ],
    environment: {
      MARIADB_ROOT_PASSWORD_FILE: `${SECRETS_FOLDER}/root-password`,
      // Root can log in only from inside the container.
      MARIADB_ROOT_HOST: 'localhost',
      MARIADB_DATABASE: input.database,
      MARIADB_USER: input.user,
      MARIADB_PASSWORD_FILE: `${SECRETS_FOLDER}/password`,
      MARIADB_AUTO_UPGRADE: '1',
    },
    files: [file('password', PASSWORD), file('root-password', ROOT_PASSWORD)],
    probe: {
      test: ['CMD', 'healthcheck.sh', '--connect', '--innodb_initialized'],
      intervalSeconds: 5,
      timeoutSeconds: 5,
      retries: 5,
      startPeriodSeconds: 120,
    },
    stopSignal: 'SIGTERM',
    shmMb: null,
  };
}

function asUser({ user, database }: TemplateInput, sql: string, password: string): Command {
  return {
    command: [...CLIENT, '--protocol=tcp', '-h', '127.0.0.1', '--connect-timeout=10', '-u', user, '-e', sql, database],
    environment: { MYSQL_PWD: [secret(password)] },
  };
}

const REPORTED =
  "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('thread_handling', 'thread_pool_size', 'character_set_server', " +
  "'collation_server', 'default_storage_engine', 'default_tmp_storage_engine', 'aria_used_for_temp_tables', " +
  "'aria_recover_options', 'innodb_buffer_pool_size', 'log_bin', 'binlog_format', 'sync_binlog'); " +
  "SELECT 'character_set_database', @@character_set_database; SELECT 'collation_database', @@collation_database";

function checks(input: TemplateInput): readonly Check[] {
  return [
    {
      name: 'the settings of the template are in force',
      ...asUser(input, REPORTED, PASSWORD),
      defect: reports(tabbedFacts, {
        thread_handling: 'pool-of-threads',
        thread_pool_size: poolThreads(input),
        character_set_server: 'utf8mb4',
        collation_server: 'utf8mb4_unicode_ci',
        character_set_database: 'utf8mb4',
        collation_database: 'utf8mb4_unicode_ci',
        default_storage_engine: 'InnoDB',
        default_tmp_storage_engine: 'Aria',
        aria_used_for_temp_tables: 'ON',
        aria_recover_options: 'BACKUP,QUICK',
        innodb_buffer_pool_size: bufferPoolMb(input.memoryMb, 0.3) * 2 ** 20,
        log_bin: 'ON',
        binlog_format: 'ROW',
        sync_binlog: 1,
      }),
    },
  ];
}
