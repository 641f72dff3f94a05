import { Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { DataSourceOptions } from 'typeorm';
import { Transactions } from '#kernel/transactions';
import { HotReader } from './batching/hot-reader.js';
import { PageConnections } from './connections/page-connections.js';
import { PipelinedConnection } from './batching/pipelined-connection.js';
import { pooledConnection } from './connections/pooled-connection.js';
import { DatabasePulse } from './connections/database-pulse.js';
import { ProcessPresence } from './connections/process-presence.js';
import { SchemaGate, SEALED, type Sealed } from './migrations/schema-gate.js';
import { TypeOrmTransactions } from './transactions/typeorm-transactions.js';

export interface DatabaseOptions {
  readonly url: string;
  readonly poolSize: number;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  readonly entities: NonNullable<DataSourceOptions['entities']>;
  readonly migrations: NonNullable<DataSourceOptions['migrations']>;
  /** Retry for a moment if the database does not respond at start; at a terminal, fail at once instead. */
  readonly retriesConnecting?: boolean;
  /**
   * The process's key ring and everything that is sealed: the process starts only with the key ring of the database.
   */
  readonly sealed?: Sealed;
}

/** How all our processes connect to PostgreSQL; migrations and tests use the same settings. */
export function dataSourceOptions(options: DatabaseOptions) {
  return {
    type: 'postgres',
    url: options.url,
    entities: options.entities,
    migrations: options.migrations,
    migrationsTableName: 'migrations',
    poolSize: options.poolSize,
    applicationName: options.applicationName,
    synchronize: false,
    logging: false,
    extra: {
      onConnect: pooledConnection(35_000),
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
      idleTimeoutMillis: 30_000,
      // The server ends statements that run too long. The client gives up a little later, in case the server is frozen.
      statement_timeout: 30_000,
      idle_in_transaction_session_timeout: 60_000,
    },
  } as const satisfies DataSourceOptions;
}

@Module({})
export class DatabaseModule {
  static forRoot(options: DatabaseOptions): DynamicModule {
    return {
      module: DatabaseModule,
      global: true,
      imports: [
        TypeOrmModule.forRoot({
          ...dataSourceOptions(options),
          retryAttempts: options.retriesConnecting ? 3 : 0,
          retryDelay: 500,
        }),
      ],
      providers: [
        SchemaGate,
        { provide: SEALED, useValue: options.sealed ?? null },
        TypeOrmTransactions,
        { provide: Transactions, useExisting: TypeOrmTransactions },
        HotReader,
        PageConnections,
        PipelinedConnection,
        ProcessPresence,
        DatabasePulse,
      ],
      exports: [TypeOrmTransactions, Transactions, HotReader, ProcessPresence, DatabasePulse],
    };
  }
}
