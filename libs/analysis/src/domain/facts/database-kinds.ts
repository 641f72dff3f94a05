/** The kinds of databases that the panel has templates for, by the names of these templates. */
export const DATABASE_KINDS = ['postgresql', 'mysql', 'mariadb', 'mongodb', 'redis', 'qdrant'] as const;
export type DatabaseKind = (typeof DATABASE_KINDS)[number];

/** Signs of a database: packages in manifests, images in compose files, variables in examples. */
const CLUES: readonly { readonly kind: DatabaseKind; readonly pattern: RegExp }[] = [
  {
    kind: 'postgresql',
    pattern:
      /["']?\b(?:pg|postgres|pg-promise|psycopg2?(?:-binary)?|asyncpg|pgx|lib\/pq|tokio-postgres|org\.postgresql|gem ['"]pg)\b/i,
  },
  { kind: 'postgresql', pattern: /\bpostgres(?:ql)?:\/\/|image:\s*\S*postgres/i },
  { kind: 'mariadb', pattern: /["']?\bmariadb\b/i },
  {
    kind: 'mysql',
    pattern: /["']?\b(?:mysql2?|PyMySQL|mysqlclient|go-sql-driver\/mysql)\b|\bmysql:\/\/|image:\s*\S*mysql/i,
  },
  {
    kind: 'mongodb',
    pattern:
      /["']?\b(?:mongodb|mongoose|pymongo|motor|mongo-driver|mongoid)\b|\bmongodb(?:\+srv)?:\/\/|image:\s*\S*mongo/i,
  },
  {
    kind: 'redis',
    pattern: /["']?\b(?:redis|ioredis|bullmq|sidekiq|go-redis|predis)\b|\brediss?:\/\/|image:\s*\S*redis/i,
  },
  { kind: 'qdrant', pattern: /["']?\b(?:qdrant|qdrant-client|@qdrant\/js-client-rest)\b/i },
];

/** The databases mentioned in a line of a manifest, a compose file or an example of settings. */
export function databasesNamedIn(line: string): readonly DatabaseKind[] {
  return [...new Set(CLUES.flatMap(({ kind, pattern }) => (pattern.test(line) ? [kind] : [])))];
}

const CONNECTION: Readonly<
  Record<DatabaseKind, { readonly variable: RegExp; readonly name: string; readonly value: string }>
> = {
  postgresql: connection('DATABASE_URL', /^(?:DATABASE|POSTGRES(?:QL)?|PG|DB)_UR[IL]$/, 'postgres'),
  mysql: connection('DATABASE_URL', /^(?:DATABASE|MYSQL|DB)_UR[IL]$/, 'mysql'),
  mariadb: connection('DATABASE_URL', /^(?:DATABASE|MARIADB|MYSQL|DB)_UR[IL]$/, 'mysql'),
  mongodb: connection('MONGODB_URI', /^(?:MONGO(?:DB)?|DATABASE)_UR[IL]$/, 'mongodb'),
  redis: { name: 'REDIS_URL', variable: /^(?:REDIS|CACHE)_UR[IL]$/, value: 'redis://:{password}@{host}:{port}/0' },
  qdrant: { name: 'QDRANT_URL', variable: /^QDRANT_UR[IL]$/, value: 'http://{host}:{port}' },
};

function connection(name: string, variable: RegExp, scheme: string) {
  return { name, variable, value: `${scheme}://{username}:{password}@{host}:{port}/{database}` };
}

/** The port of each database, and the variables of its template. */
export const DATABASE_DEFAULTS: Readonly<
  Record<DatabaseKind, { readonly port: number; readonly username: string; readonly database: string }>
> = {
  postgresql: { port: 5432, username: 'app', database: 'app' },
  mysql: { port: 3306, username: 'app', database: 'app' },
  mariadb: { port: 3306, username: 'app', database: 'app' },
  mongodb: { port: 27017, username: 'app', database: 'app' },
  redis: { port: 6379, username: '', database: '' },
  qdrant: { port: 6333, username: '', database: '' },
};

/** Variables for one part of a connection, by their suffix. */
const PARTS: readonly (readonly [RegExp, string])[] = [
  [/_?(?:HOST|HOSTNAME|SERVER)$/, '{host}'],
  [/_?PORT$/, '{port}'],
  [/_?(?:USER|USERNAME)$/, '{username}'],
  [/_?(?:PASSWORD|PASS|PASSWD)$/, '{password}'],
  [/_?(?:DATABASE|DB|NAME|DBNAME|DB_NAME)$/, '{database}'],
  [/_?API_KEY$/, '{password}'],
];
const PREFIX: Readonly<Record<DatabaseKind, RegExp>> = {
  postgresql: /^(?:PG|POSTGRES(?:QL)?|DB|DATABASE)/,
  mysql: /^(?:MYSQL|DB|DATABASE)/,
  mariadb: /^(?:MARIADB|MYSQL|DB|DATABASE)/,
  mongodb: /^MONGO/,
  redis: /^REDIS/,
  qdrant: /^QDRANT/,
};

/** How the application's variables are filled from a database. If it names none, the usual variable is used. */
export function wiringOf(kind: DatabaseKind, variables: readonly string[]): Readonly<Record<string, string>> {
  const { variable, name, value } = CONNECTION[kind];
  const whole = variables.filter((one) => variable.test(one)).map((one): [string, string] => [one, value]);
  const parts = variables.flatMap((one): [string, string][] => {
    if (!PREFIX[kind].test(one) || variable.test(one)) return [];
    const part = PARTS.find(([ending]) => ending.test(one));
    return part ? [[one, part[1]]] : [];
  });
  const wired = [...whole, ...parts];
  return Object.fromEntries(wired.length > 0 ? wired : [[name, value]]);
}
