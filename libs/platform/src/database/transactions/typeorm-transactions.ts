import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { QueryResultRow } from 'pg';
import { DataSource, EntityManager, QueryFailedError, type QueryRunner } from 'typeorm';
import { Transactions } from '#kernel/transactions';
import { poolOf, runNamed, type NamedStatement } from '../batching/named-statement.js';
import { rowsByPlace, type SetStatement } from '../batching/set-statement.js';
import { OpenTransaction } from './open-transaction.js';

/** A number for the purpose, and the name of the locked thing. */
export type AdvisoryLock = readonly [purpose: number, name: string];

/** The lock of a whole purpose, whatever the name. */
const WHOLE = 0;

const UNLOCK = 'select pg_advisory_unlock_all()';
/** PostgreSQL's code for a statement that exceeded its timeout. */
const CANCELED = '57014';

/**
 * The transaction of the current asynchronous context. Repositories write through `writer` and read through `reader`,
 * so a read inside a transaction sees its own writes.
 */
@Injectable()
export class TypeOrmTransactions extends Transactions implements OnApplicationShutdown {
  private readonly scope = new AsyncLocalStorage<OpenTransaction>();

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {
    super();
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    const open = this.scope.getStore();
    if (!open) return this.dataSource.transaction((manager) => this.within(manager, work));
    open.assertOpen();
    return work();
  }

  /** Whether the caller runs inside a transaction. */
  get isOpen(): boolean {
    return this.scope.getStore() !== undefined;
  }

  onApplicationShutdown(): void {
    // Tests run many applications in one process.
    if (!this.dataSource.isInitialized) this.scope.disable();
  }

  /**
   * Runs `work` behind a savepoint of the current transaction. If it rejects, only its writes are rolled back and the
   * transaction continues.
   * @throws Error if no transaction is open
   */
  attempt<T>(work: () => Promise<T>): Promise<T> {
    return this.writer.transaction((manager) => this.within(manager, work));
  }

  /**
   * Runs `work` alone under the named advisory lock, in its own transaction that starts once the lock is held and sees
   * nothing committed later. Nobody else holds the lock until the transaction has ended; others wait that long. `share`
   * is the other side of the lock.
   * @throws Error inside a transaction: what it has already read may be older than the lock
   */
  async runAlone<T>(lock: AdvisoryLock, work: () => Promise<T>): Promise<T> {
    if (this.scope.getStore()) throw new Error('a transaction is already open');
    const runner = this.dataSource.createQueryRunner();
    const client = (await runner.connect()) as { end(): Promise<void> };
    try {
      await takeLock(runner, lock);
      await runner.startTransaction('REPEATABLE READ');
      const result = await this.within(runner.manager, work);
      await runner.commitTransaction();
      return result;
    } catch (error) {
      if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
      throw error;
    } finally {
      // Ending the connection releases its lock.
      await runner.query(UNLOCK).catch(() => client.end());
      await runner.release();
    }
  }

  /** Waits while another transaction runs alone under this lock, and prevents new ones until this transaction ends. */
  async share(lock: AdvisoryLock): Promise<void> {
    await this.writer.query('select pg_advisory_xact_lock_shared($1, hashtext($2))', [...lock]);
  }

  /** Same as `share`, for all locks of the purpose. */
  async shareAll(purpose: number): Promise<void> {
    await this.writer.query(`select pg_advisory_xact_lock($1, ${WHOLE})`, [purpose]);
  }

  /**
   * The rows of a prepared statement in the current transaction, for statements that every request runs.
   * @throws Error outside a transaction
   */
  async prepared<R extends QueryResultRow>(statement: NamedStatement, values: readonly unknown[]): Promise<R[]> {
    return this.current().rows<R>(statement, values);
  }

  /**
   * The rows for one question of a set statement.
   * @throws Error outside a transaction
   */
  async ask<R extends QueryResultRow, Q>(statement: SetStatement<Q>, question: Q): Promise<R[]> {
    const rows = await this.prepared(statement, statement.values([question]));
    return rowsByPlace<R>(rows, 1)[0] ?? [];
  }

  /**
   * Runs a single prepared statement: in its own transaction, which saves two round trips, or as part of the current
   * one.
   */
  atOnce<R extends QueryResultRow>(statement: NamedStatement, values: readonly unknown[]): Promise<R[]> {
    if (this.scope.getStore()) return this.prepared<R>(statement, values);
    return runNamed<R>(poolOf(this.dataSource), statement, values);
  }

  get reader(): EntityManager {
    return this.scope.getStore()?.manager ?? this.dataSource.manager;
  }

  /** @throws Error outside a transaction, so that no write gets its own transaction by accident */
  get writer(): EntityManager {
    return this.current().manager;
  }

  private within<T>(manager: EntityManager, work: () => Promise<T>): Promise<T> {
    const open = new OpenTransaction(manager);
    return open.run(() => this.scope.run(open, work));
  }

  private current(): OpenTransaction {
    const open = this.scope.getStore();
    if (!open) throw new Error('write outside a transaction; open one with Transactions.run');
    return open;
  }
}

/** Takes session-level locks, because a transaction-level lock would be taken after the transaction's snapshot. */
async function takeLock(runner: QueryRunner, lock: AdvisoryLock): Promise<void> {
  for (;;) {
    try {
      await runner.query(`select pg_advisory_lock_shared($1, ${WHOLE}), pg_advisory_lock($1, hashtext($2))`, [...lock]);
      return;
    } catch (error) {
      const code = error instanceof QueryFailedError ? (error.driverError as { code?: string }).code : undefined;
      if (code !== CANCELED) throw error;
      // The statement timed out while waiting for a lock. The first of the two locks may already be held.
      await runner.query(UNLOCK);
    }
  }
}
