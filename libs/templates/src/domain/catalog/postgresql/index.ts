import type { Uuid } from '#kernel/crypto/uuid';
import { type Recipe, SECRETS_FOLDER, secret } from '../../recipe.js';
import { NEW_PASSWORD, PASSWORD, type Template, type TemplateInput } from '../../template.js';
import { commonVariables } from '../../variables.js';
import { checks, psql } from './checks.js';
import { serverSettings, sharedMemoryMb } from './settings.js';

const DATA = '/var/lib/postgresql/data';

export const postgresql: Template = {
  id: '6f0c4b52-8a1e-4c39-9d56-0a1f5e7c1001' as Uuid,
  slug: 'postgresql',
  name: 'PostgreSQL',
  description:
    'Advanced open-source relational database. Statement statistics, memory-tuned buffers, automatic vacuum and ' +
    'write-ahead-log archiving, which point-in-time recovery switches on without a restart.',
  category: 'database',
  kind: 'postgresql',
  version: '16',
  image: { repository: 'library/postgres', tag: '16-bookworm', versionVariable: 'PG_VERSION' },
  seriesParts: 1,
  defaultPort: 5432,
  minRamMb: 256,
  security: 'secure',
  tags: ['sql', 'relational'],
  documentationUrl: 'https://www.postgresql.org/docs/16/',
  variables: commonVariables({
    databaseApplies: true,
    userApplies: true,
    reservedDatabases: ['template0', 'template1'],
    reservedUsers: ['public', 'none', 'current_user', 'session_user', 'current_role'],
    userPattern: '^(?!pg_)[a-z_][a-z0-9_]{0,62}$',
  }),
  volumes: [{ name: 'data', path: DATA }],
  ports: [{ port: 5432, protocol: 'tcp', exposure: 'internal' }],
  backup: { method: 'pg_dump', supportsPitr: true },
  createdAt: new Date('2026-11-24T00:00:00Z'),
  updatedAt: new Date('2026-11-24T00:00:00Z'),
  credentialsForAdminsAlone: false,
  ownSecrets: [],
  recipe,
  access: ({ database, user }) => ({
    port: 5432,
    database,
    username: user,
    isApiKey: false,
    connectionString: (host, password) =>
      `postgresql://${user}:${encodeURIComponent(password)}@${host}:5432/${database}`,
  }),
  login: (input, password) => ({
    ...psql(input, 'SELECT 1', password),
    succeeded: ({ exitCode }) => exitCode === 0,
  }),
  checks,
  serverVersion: (input) => psql(input, 'SHOW server_version', PASSWORD),
  // The client hashes the password, so that it is neither in a log nor in the statement statistics.
  changePassword: ({ user, database }) => ({
    command: [
      'sh',
      '-c',
      `printf '%s\\n%s\\n' "$NEW" "$NEW" | psql -h 127.0.0.1 -U ${user} -d ${database} -X -v ON_ERROR_STOP=1 -c '\\password ${user}'`,
    ],
    environment: { NEW: [secret(NEW_PASSWORD)], PGPASSWORD: [secret(PASSWORD)] },
  }),
};

function recipe(input: TemplateInput): Recipe {
  const { database, user } = input;
  return {
    command: [
      'postgres',
      ...Object.entries(serverSettings(input)).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    environment: {
      POSTGRES_DB: database,
      POSTGRES_USER: user,
      POSTGRES_PASSWORD_FILE: `${SECRETS_FOLDER}/password`,
      PGDATA: `${DATA}/pgdata`,
      // By default the image trusts loopback connections, so a password would not be checked there.
      POSTGRES_INITDB_ARGS:
        '--data-checksums --encoding=UTF8 --locale=C.UTF-8 --auth-host=scram-sha-256 --auth-local=scram-sha-256',
    },
    files: [
      {
        name: 'password',
        path: `${SECRETS_FOLDER}/password`,
        content: [secret(PASSWORD)],
        uid: 0,
        gid: 0,
        mode: 0o400,
      },
    ],
    // By TCP, because the temporary server of the first start listens on its socket only.
    probe: {
      test: ['CMD', 'pg_isready', '-q', '-h', '127.0.0.1', '-U', user, '-d', database],
      intervalSeconds: 5,
      timeoutSeconds: 5,
      retries: 5,
      startPeriodSeconds: 60,
    },
    stopSignal: 'SIGINT',
    shmMb: sharedMemoryMb(input),
  };
}
