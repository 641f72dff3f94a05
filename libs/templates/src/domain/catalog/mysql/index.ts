import type { Uuid } from '#kernel/crypto/uuid';
import { type Check, type Command, reports, tabbedFacts } from '../../checks.js';
import { type Recipe, SECRETS_FOLDER, secret } from '../../recipe.js';
import { NEW_PASSWORD, PASSWORD, type Template, type TemplateInput } from '../../template.js';
import { commonVariables } from '../../variables.js';
import { serverFlags } from './settings.js';

const ROOT_PASSWORD = 'DB_ROOT_PASSWORD';

export const mysql: Template = {
  id: '6f0c4b52-8a1e-4c39-9d56-0a1f5e7c1002' as Uuid,
  slug: 'mysql',
  name: 'MySQL',
  description:
    'Popular open-source relational database. InnoDB, utf8mb4 with utf8mb4_unicode_ci, binary log for point-in-time ' +
    'recovery. caching_sha2_password: a client without TLS has to ask for the public key (allowPublicKeyRetrieval).',
  category: 'database',
  kind: 'mysql',
  version: '8.4',
  image: { repository: 'library/mysql', tag: '8.4', versionVariable: 'MYSQL_VERSION' },
  seriesParts: 2,
  defaultPort: 3306,
  minRamMb: 512,
  security: 'secure',
  tags: ['sql', 'relational'],
  documentationUrl: 'https://dev.mysql.com/doc/refman/8.4/en/',
  variables: commonVariables({
    databaseApplies: true,
    userApplies: true,
    userPattern: '^[a-z_][a-z0-9_]{0,31}$',
    reservedDatabases: ['mysql', 'information_schema', 'performance_schema', 'sys'],
    reservedUsers: ['root', 'mysql'],
  }),
  volumes: [{ name: 'data', path: '/var/lib/mysql' }],
  ports: [{ port: 3306, protocol: 'tcp', exposure: 'internal' }],
  backup: { method: 'mysqldump', supportsPitr: true },
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
  login: ({ user, database }, password) => ({
    ...client(
      ['--protocol=tcp', '-h', '127.0.0.1', '--get-server-public-key', '-u', user, '-e', 'SELECT 1', database],
      password,
    ),
    succeeded: ({ exitCode }) => exitCode === 0,
  }),
  checks,
  serverVersion: () => asRoot('SELECT VERSION()'),
  changePassword: ({ user }) => ({
    // Kept out of the binary log, so that a point-in-time recovery does not restore an old password.
    command: [
      'sh',
      '-c',
      `printf "SET SESSION sql_log_bin=0; ALTER USER '%s'@'%%' IDENTIFIED BY '%s';\\n" ${user} "$NEW" | ` +
        'mysql --no-defaults --batch --protocol=socket -uroot',
    ],
    environment: { NEW: [secret(NEW_PASSWORD)], MYSQL_PWD: [secret(ROOT_PASSWORD)] },
  }),
};

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
    command: ['mysqld', ...serverFlags(input)],
    environment: {
      MYSQL_ROOT_PASSWORD_FILE: `${SECRETS_FOLDER}/root-password`,
      MYSQL_ROOT_HOST: 'localhost',
      MYSQL_DATABASE: input.database,
      MYSQL_USER: input.user,
      MYSQL_PASSWORD_FILE: `${SECRETS_FOLDER}/password`,
    },
    files: [file('password', PASSWORD), file('root-password', ROOT_PASSWORD)],
    // By TCP, because the temporary server of the first start has no network. No password is needed: being refused is
    // enough of an answer.
    probe: {
      test: ['CMD', 'mysqladmin', 'ping', '--protocol=tcp', '-h', '127.0.0.1', '--silent'],
      intervalSeconds: 5,
      timeoutSeconds: 5,
      retries: 5,
      startPeriodSeconds: 120,
    },
    stopSignal: 'SIGTERM',
    shmMb: null,
  };
}

function client(args: readonly string[], password: string): Command {
  return {
    command: ['mysql', '--no-defaults', '--batch', '--skip-column-names', '--connect-timeout=10', ...args],
    environment: { MYSQL_PWD: [secret(password)] },
  };
}

/** Uses the socket, because the image does not resolve names, so root@localhost cannot log in by TCP. */
function asRoot(sql: string): Command {
  return client(['--protocol=socket', '-u', 'root', '-e', sql], ROOT_PASSWORD);
}

function checks({ database, user }: TemplateInput): readonly Check[] {
  const reported =
    "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('default_storage_engine', 'character_set_server', " +
    "'collation_server', 'log_bin', 'gtid_mode', 'sync_binlog', 'innodb_flush_log_at_trx_commit'); " +
    "SELECT 'collation_database', default_collation_name FROM information_schema.schemata " +
    `WHERE schema_name = '${database}'; SELECT 'plugin', plugin FROM mysql.user WHERE user = '${user}' AND host = '%'`;
  return [
    {
      name: 'the settings of the template are in force',
      ...asRoot(reported),
      defect: reports(tabbedFacts, {
        default_storage_engine: 'InnoDB',
        character_set_server: 'utf8mb4',
        collation_server: 'utf8mb4_unicode_ci',
        collation_database: 'utf8mb4_unicode_ci',
        log_bin: 'ON',
        gtid_mode: 'ON',
        sync_binlog: 1,
        innodb_flush_log_at_trx_commit: 1,
        plugin: 'caching_sha2_password',
      }),
    },
  ];
}
