import type { Uuid } from '#kernel/crypto/uuid';
import { alternatingFacts, type Check, type Command, reports } from '../../checks.js';
import { type Recipe, SECRETS_FOLDER, secret, type Text } from '../../recipe.js';
import { NEW_PASSWORD, PASSWORD, type Template, type TemplateInput } from '../../template.js';
import { commonVariables } from '../../variables.js';

const CONFIGURATION = '/usr/local/etc/redis/redis.conf';
/** Of the image's own user. */
const REDIS = { uid: 999, gid: 999, mode: 0o400 } as const;

export const redis: Template = {
  id: '6f0c4b52-8a1e-4c39-9d56-0a1f5e7c1005' as Uuid,
  slug: 'redis',
  name: 'Redis',
  description:
    'In-memory key-value store. Append-only file, a snapshot every 60 seconds, password required. The least recently ' +
    'used keys give way when memory is full (allkeys-lru): job queues lose entries then.',
  category: 'database',
  kind: 'redis',
  version: '7',
  image: { repository: 'library/redis', tag: '7.4-bookworm', versionVariable: 'REDIS_VERSION' },
  seriesParts: 2,
  defaultPort: 6379,
  minRamMb: 128,
  security: 'secure',
  tags: ['key-value', 'cache'],
  documentationUrl: 'https://redis.io/docs/latest/',
  variables: commonVariables({ databaseApplies: false, userApplies: true, defaultUser: 'default' }),
  volumes: [{ name: 'data', path: '/data' }],
  ports: [{ port: 6379, protocol: 'tcp', exposure: 'internal' }],
  backup: { method: 'redis-rdb', supportsPitr: false },
  createdAt: new Date('2026-11-24T00:00:00Z'),
  updatedAt: new Date('2026-11-24T00:00:00Z'),
  credentialsForAdminsAlone: false,
  ownSecrets: [],
  recipe,
  access: ({ user }) => ({
    port: 6379,
    database: null,
    username: user,
    isApiKey: false,
    connectionString: (host, password) => `redis://${user}:${encodeURIComponent(password)}@${host}:6379/0`,
  }),
  login: (input, password) => ({
    ...redisCli(input, ['PING'], password),
    // The client exits with 0 even if it was refused.
    succeeded: ({ stdout }) => stdout.trim() === 'PONG',
  }),
  checks,
  serverVersion: (input) => ({
    ...redisCli(input, [], PASSWORD),
    command: ['sh', '-c', `redis-cli -h 127.0.0.1 --user ${input.user} INFO server | sed -n 's/^redis_version://p'`],
  }),
  changePassword: ({ user }) => ({
    command: [
      'sh',
      '-c',
      `{ printf 'CONFIG SET requirepass %s\\n' "$NEW"; ${isOwnUser(user) ? `printf 'ACL SETUSER ${user} resetpass >%s\\n' "$NEW"; ` : ''}} | ` +
        'redis-cli -h 127.0.0.1 -e',
    ],
    environment: { NEW: [secret(NEW_PASSWORD)], REDISCLI_AUTH: [secret(PASSWORD)] },
  }),
};

function isOwnUser(user: string): boolean {
  return user !== '' && user !== 'default';
}

/** Less than 60 % of the memory. With more, the server is killed when it rewrites the append-only file under load. */
export function maxMemoryMb({ memoryMb }: Pick<TemplateInput, 'memoryMb'>): number {
  return Math.floor(memoryMb * (memoryMb < 256 ? 0.4 : 0.5));
}

function configuration(input: TemplateInput): Text {
  return [
    ...['requirepass ', secret(PASSWORD), '\n'],
    ...(isOwnUser(input.user) ? [`user ${input.user} on ~* &* +@all >`, secret(PASSWORD), '\n'] : []),
    'appendonly yes\nappendfsync everysec\naof-use-rdb-preamble yes\nsave 60 1\n',
    `maxmemory ${maxMemoryMb(input)}mb\nmaxmemory-policy allkeys-lru\n`,
    'dir /data\nprotected-mode no\ntcp-keepalive 60\n',
  ];
}

function recipe(input: TemplateInput): Recipe {
  const password = `${SECRETS_FOLDER}/password`;
  return {
    command: ['redis-server', CONFIGURATION],
    environment: {},
    files: [
      { name: 'configuration', path: CONFIGURATION, content: configuration(input), ...REDIS },
      { name: 'password', path: password, content: [secret(PASSWORD)], ...REDIS },
    ],
    // PING exits with 0 even without a password or while data are being loaded. Only PONG means ready.
    probe: {
      test: ['CMD-SHELL', `REDISCLI_AUTH=$(cat ${password}) redis-cli -h 127.0.0.1 ping | grep -qx PONG`],
      intervalSeconds: 5,
      timeoutSeconds: 5,
      retries: 5,
      startPeriodSeconds: 60,
    },
    stopSignal: 'SIGTERM',
    shmMb: null,
  };
}

function redisCli({ user }: TemplateInput, args: readonly string[], password: string): Command {
  return {
    command: ['redis-cli', '-h', '127.0.0.1', '--user', user, ...args],
    environment: { REDISCLI_AUTH: [secret(password)] },
  };
}

function checks(input: TemplateInput): readonly Check[] {
  const names = ['appendonly', 'appendfsync', 'aof-use-rdb-preamble', 'save', 'maxmemory', 'maxmemory-policy', 'dir'];
  return [
    {
      name: 'a client without a password is refused',
      command: ['redis-cli', '-h', '127.0.0.1', 'PING'],
      environment: {},
      defect: ({ stdout, stderr }) =>
        /NOAUTH/.test(stdout + stderr) ? null : 'the server answered without a password',
    },
    {
      name: 'the settings of the template are in force',
      ...redisCli(input, ['CONFIG', 'GET', ...names], PASSWORD),
      defect: reports(alternatingFacts, {
        appendonly: 'yes',
        appendfsync: 'everysec',
        'aof-use-rdb-preamble': 'yes',
        save: '60 1',
        maxmemory: maxMemoryMb(input) * 2 ** 20,
        'maxmemory-policy': 'allkeys-lru',
        dir: '/data',
      }),
    },
  ];
}
