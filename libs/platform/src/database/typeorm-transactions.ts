import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { QueryResultRow } from 'pg';
import { DataSource, EntityManager, QueryFailedError, type QueryRunner } from 'typeorm';
import { Transactions } from '#kernel/transactions';
import { poolOf, runNamed, type NamedStatement } from './named-statement.js';
import { OwnTransaction } from './own-transaction.js';
import { rowsByPlace, type SetStatement } from './set-statement.js';
import { SharedConnections } from './shared-connections.js';
import { SharedLanes } from './shared-lanes.js';
import type { SharedUnit } from './shared-transaction.js';

/** A number for the purpose, and the name of what is locked. */
export type AdvisoryLock = readonly [purpose: number, name: string];

/** The lock of a purpose as a whole, whatever the name. */
const WHOLE = 0;

const UNLOCK = 'select pg_advisory_unlock_all()';
/** PostgreSQL's code for a statement that ran longer than it may. */
const CANCELED = '57014';

/** The transaction of one unit of work, or its part in one that it shares with others. */
type Scope = { readonly manager: EntityManager } & (
  { readonly own: OwnTransaction; readonly unit: null } | { readonly unit: SharedUnit }
);

/**
 * The transaction of the current asynchronous context. Repositories write through `writer` and read through `reader`,
 * so that a read inside a transaction sees its own writes.
 */
@Injectable()
export class TypeOrmTransactions extends Transactions implements OnApplicationShutdown {
  private readonly scope = new AsyncLocalStorage<Scope>();
  private readonly connections: SharedConnections;
  private readonly lanes: SharedLanes;

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {
    super();
    this.connections = new SharedConnections(dataSource, (manager, unit, run) =>
      this.scope.run({ manager, unit }, run),
    );
    this.lanes = new SharedLanes(
      ({ run, inContext }) => inContext(() => this.run(run)),
      (works) => this.connections.run(works),
    );
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    if (this.scope.getStore()) return work();
    return this.dataSource.transaction((manager) => this.within(manager, work));
  }

  together<T>(work: () => Promise<T>): Promise<T> {
    return this.scope.getStore() ? work() : this.lanes.run(work);
  }

  lastly<T>(work: () => Promise<T>): Promise<T> {
    const unit = this.scope.getStore()?.unit;
    return unit ? unit.lastly(work) : work();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.connections.close();
    // A storage in use costs every promise of its process, also when its application is gone: tests run many in one.
    // Without it work that still runs would open transactions of its own, so not before that is impossible.
    if (!this.dataSource.isInitialized) this.scope.disable();
  }

  /**
   * Runs `work` behind a savepoint of the current transaction: when it rejects, its writes alone are undone and the
   * transaction can go on.
   * @throws Error when no transaction is open, or others share it
   */
  attempt<T>(work: () => Promise<T>): Promise<T> {
    if (this.scope.getStore()?.unit) throw new Error('a savepoint in a transaction that others share');
    return this.writer.transaction((manager) => this.within(manager, work));
  }

  /**
   * Runs `work` in a transaction of its own that sees the database as it is once the advisory lock of that name is
   * held, and nothing that is committed later. Nobody else holds the lock until the transaction has ended, and who
   * wants it waits as long as that takes; `share` is its other side.
   * @throws Error inside a transaction: what it has read already may be older than the lock
   */
  async runAlone<T>(lock: AdvisoryLock, work: () => Promise<T>): Promise<T> {
    if (this.scope.getStore()) throw new Error('a transaction is open already');
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
      // With the connection goes its lock.
      await runner.query(UNLOCK).catch(() => client.end());
      await runner.release();
    }
  }

  /** Waits while somebody runs alone under this lock, and keeps others from it until the transaction ends. */
  async share(lock: AdvisoryLock): Promise<void> {
    await this.writer.query('select pg_advisory_xact_lock_shared($1, hashtext($2))', [...lock]);
  }

  /** As `share`, for all locks of the purpose at once. */
  async shareAll(purpose: number): Promise<void> {
    await this.writer.query(`select pg_advisory_xact_lock($1, ${WHOLE})`, [purpose]);
  }

  /**
   * The rows of a prepared statement within the current transaction: for what every request does.
   * @throws Error outside a transaction
   */
  async prepared<R extends QueryResultRow>(statement: NamedStatement, values: readonly unknown[]): Promise<R[]> {
    const scope = this.current();
    if (!scope.unit) return scope.own.rows<R>(statement, values);
    scope.unit.note(statement);
    return (await scope.unit.transaction.rows(statement, values)) as R[];
  }

  /**
   * The rows for one question of a statement that can answer many: units that share a transaction ask together.
   * @throws Error outside a transaction
   */
  each<R extends QueryResultRow, Q>(statement: SetStatement<Q>, question: Q): Promise<R[]> {
    const unit = this.scope.getStore()?.unit;
    if (!unit) return this.eachAlone<R, Q>(statement, question);
    unit.note(statement);
    return unit.transaction.each(statement, question) as Promise<R[]>;
  }

  /** As `prepared`, for what is the same for all units that share a transaction, and has to happen once in it. */
  once(statement: NamedStatement, values: readonly unknown[]): Promise<void> {
    const unit = this.scope.getStore()?.unit;
    return unit ? unit.transaction.once(statement, values) : this.prepared(statement, values).then(nothing);
  }

  /**
   * To be called before a row of that name is locked whose lock decides between units of work: row locks do not keep
   * those apart that share a transaction. Held until the unit ends.
   */
  async apart(name: string): Promise<void> {
    await this.current().unit?.alone(name);
  }

  /**
   * A prepared statement that is all that has to happen: a transaction of its own, which saves two ways to the
   * database, or part of the current one.
   */
  atOnce<R extends QueryResultRow>(statement: NamedStatement, values: readonly unknown[]): Promise<R[]> {
    if (this.scope.getStore()) return this.prepared<R>(statement, values);
    return runNamed<R>(poolOf(this.dataSource), statement, values);
  }

  get reader(): EntityManager {
    return this.scope.getStore()?.manager ?? this.dataSource.manager;
  }

  /** @throws Error outside a transaction: nothing is ever written by accident in a transaction of its own */
  get writer(): EntityManager {
    const { manager, unit } = this.current();
    unit?.noteWrite();
    return manager;
  }

  private async eachAlone<R extends QueryResultRow, Q>(statement: SetStatement<Q>, question: Q): Promise<R[]> {
    const rows = await this.prepared(statement, statement.values([question]));
    return rowsByPlace<R>(rows, 1)[0] ?? [];
  }

  private within<T>(manager: EntityManager, work: () => Promise<T>): Promise<T> {
    const own = new OwnTransaction(manager);
    return own.run(() => this.scope.run({ manager, own, unit: null }, work));
  }

  private current(): Scope {
    const scope = this.scope.getStore();
    if (!scope) throw new Error('write outside a transaction: open one with Transactions.run');
    return scope;
  }
}

function nothing(): void {}

/** Locks of the session: one of the transaction would be taken after the transaction began to see. */
async function takeLock(runner: QueryRunner, lock: AdvisoryLock): Promise<void> {
  for (;;) {
    try {
      await runner.query(`select pg_advisory_lock_shared($1, ${WHOLE}), pg_advisory_lock($1, hashtext($2))`, [...lock]);
      return;
    } catch (error) {
      const code = error instanceof QueryFailedError ? (error.driverError as { code?: string }).code : undefined;
      if (code !== CANCELED) throw error;
      // Waited as long as a statement may. The first of the two may be held by now.
      await runner.query(UNLOCK);
    }
  }
}
