import type { Uuid } from '#kernel/crypto/uuid';
import { type Check, type Command, reports, tabbedFacts } from '../../checks.js';
import { type Recipe, secret } from '../../recipe.js';
import { NEW_PASSWORD, PASSWORD, type Template, type TemplateInput } from '../../template.js';
import { commonVariables } from '../../variables.js';
import { INIT_SCRIPT, PASSWORD_FILE, PROBE_FILE, PROBE_SCRIPT } from './scripts.js';

/** Owned by the image's own user, because the entrypoint reads the files as that user. */
const MONGO = { uid: 999, gid: 999, mode: 0o400 } as const;

export const mongodb: Template = {
  id: '6f0c4b52-8a1e-4c39-9d56-0a1f5e7c1004' as Uuid,
  slug: 'mongodb',
  name: 'MongoDB',
  description:
    'Document database. Authentication is on and the journal always is; the first database and its user come from the ' +
    'variables. The processor must have AVX.',
  category: 'database',
  kind: 'mongodb',
  version: '7',
  image: { repository: 'library/mongo', tag: '7.0-jammy', versionVariable: 'MONGO_VERSION' },
  seriesParts: 2,
  defaultPort: 27017,
  minRamMb: 512,
  security: 'secure',
  tags: ['document', 'nosql'],
  documentationUrl: 'https://www.mongodb.com/docs/v7.0/',
  variables: commonVariables({
    databaseApplies: true,
    userApplies: true,
    reservedDatabases: ['admin', 'local', 'config'],
    reservedUsers: ['__system'],
  }),
  volumes: [
    { name: 'data', path: '/data/db' },
    // The image declares this volume. Without a name it would be anonymous and lost with the container.
    { name: 'config', path: '/data/configdb' },
  ],
  ports: [{ port: 27017, protocol: 'tcp', exposure: 'internal' }],
  backup: { method: 'mongodump', supportsPitr: false },
  createdAt: new Date('2026-11-24T00:00:00Z'),
  updatedAt: new Date('2026-11-24T00:00:00Z'),
  credentialsForAdminsAlone: false,
  ownSecrets: [],
  recipe,
  access: ({ database, user }) => ({
    port: 27017,
    database,
    username: user,
    isApiKey: false,
    connectionString: (host, password) =>
      `mongodb://${user}:${encodeURIComponent(password)}@${host}:27017/${database}?authSource=admin`,
  }),
  login: (input, password) => ({
    ...mongosh(SAY_WHETHER_IN, input, password),
    succeeded: ({ exitCode, stdout }) => exitCode === 0 && /^in$/m.test(stdout),
  }),
  checks,
  serverVersion: (input) => mongosh('print(db.version())', input, PASSWORD),
  changePassword: (input) => {
    const change =
      'for (const name of ["admin", process.env.PANEL_DATABASE])' +
      ' db.getSiblingDB(name).changeUserPassword(process.env.PANEL_USER, process.env.PANEL_NEW)';
    const { command, environment } = mongosh(change, input, PASSWORD);
    return { command, environment: { ...environment, PANEL_NEW: [secret(NEW_PASSWORD)] } };
  },
};

/** The cache size in GB. It is set explicitly, because memory detection is unreliable in containers. */
export function cacheGb({ memoryMb }: Pick<TemplateInput, 'memoryMb'>): number {
  return Math.max(0.25, (memoryMb - 1024) / 2 / 1024);
}

function recipe(input: TemplateInput): Recipe {
  return {
    // No --journal: since 6.1 the journal cannot be switched off, and the server refuses the flag.
    command: [
      ...['mongod', '--bind_ip_all', '--wiredTigerCacheSizeGB', String(cacheGb(input))],
      ...['--setParameter', 'diagnosticDataCollectionEnabled=false'],
    ],
    environment: {
      MONGO_INITDB_ROOT_USERNAME: input.user,
      MONGO_INITDB_ROOT_PASSWORD_FILE: PASSWORD_FILE,
      MONGO_INITDB_DATABASE: input.database,
    },
    files: [
      { name: 'password', path: PASSWORD_FILE, content: [secret(PASSWORD)], ...MONGO },
      { name: 'init', path: '/docker-entrypoint-initdb.d/panel.js', content: INIT_SCRIPT, ...MONGO },
      { name: 'probe', path: PROBE_FILE, content: PROBE_SCRIPT, ...MONGO },
    ],
    // By the container's own name, because the temporary server of the first start listens on loopback only.
    probe: {
      test: ['CMD-SHELL', `mongosh --quiet --norc "mongodb://$(hostname):27017/admin" ${PROBE_FILE}`],
      // Starting the shell takes a second of CPU time.
      intervalSeconds: 30,
      timeoutSeconds: 10,
      retries: 5,
      startPeriodSeconds: 60,
    },
    stopSignal: 'SIGTERM',
    shmMb: null,
  };
}

const LOG_IN = 'db.getSiblingDB("admin").auth(process.env.PANEL_USER, process.env.PANEL_PASSWORD);';

/** The temporary server of the first start listens here too, has the same users, and asks nobody who he is. */
const SAY_WHETHER_IN =
  'const { security } = db.adminCommand({ getCmdLineOpts: 1 }).parsed;' +
  'print(security && security.authorization === "enabled" ? "in" : "starting")';

function mongosh(script: string, { user, database }: TemplateInput, password: string): Command {
  return {
    command: ['mongosh', '--quiet', '--norc', 'mongodb://127.0.0.1:27017/admin', '--eval', `${LOG_IN} ${script}`],
    environment: { PANEL_USER: user, PANEL_DATABASE: database, PANEL_PASSWORD: [secret(password)] },
  };
}

function checks(input: TemplateInput): readonly Check[] {
  const report =
    'const options = db.adminCommand({ getCmdLineOpts: 1 }).parsed;' +
    'print("authorization\\t" + options.security.authorization);' +
    'print("cache\\t" + options.storage.wiredTiger.engineConfig.cacheSizeGB);' +
    'print("engine\\t" + db.serverStatus().storageEngine.name);' +
    'print("users\\t" + db.getSiblingDB(process.env.PANEL_DATABASE).getUsers().users.length);';
  return [
    {
      name: 'the settings of the template are in force',
      ...mongosh(report, input, PASSWORD),
      defect: reports(tabbedFacts, {
        authorization: 'enabled',
        cache: cacheGb(input),
        engine: 'wiredTiger',
        users: 1,
      }),
    },
  ];
}
