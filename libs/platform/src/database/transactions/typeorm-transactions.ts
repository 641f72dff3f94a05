import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { QueryResultRow } from 'pg';
import { DataSource, EntityManager, QueryFailedError, type QueryRunner } from 'typeorm';
import { Transactions, type UnitOfWork } from '#kernel/transactions';
import { poolOf, runNamed, type NamedStatement } from '../batching/named-statement.js';
import type { OpenUnit } from './open-unit.js';
import { OwnTransaction } from './own-transaction.js';
import type { SetStatement } from '../batching/set-statement.js';
import { SharedConnections } from '../connections/shared-connections.js';
import { SharedLanes } from './shared-lanes.js';
import { SharedUnit } from './shared-unit.js';

/** A number for the purpose, and the name of what is locked. */
export type AdvisoryLock = readonly [purpose: number, name: string];

/** The lock of a purpose as a whole, whatever the name. */
const WHOLE = 0;

const UNLOCK = 'select pg_advisory_unlock_all()';
/** PostgreSQL's code for a statement that ran longer than it may. */
const CANCELED = '57014';

/** So long a part of a unit that failed may go on after it: it must find that unit, not begin one of its own. */
const STRAGGLERS_MS = 15_000;

type Work<T> = (unit: OpenUnit) => Promise<T>;

/**
 * The unit of work of the current asynchronous context, or one that is handed over. Repositories write through `writer`
 * and read through `reader`, so that a read inside a transaction sees its own writes.
 */
@Injectable()
export class TypeOrmTransactions extends Transactions implements OnApplicationShutdown {
  private readonly scope = new AsyncLocalStorage<OpenUnit>();
  /** How many units are found by their context now. */
  private inContext = 0;
  private neededUntil = 0;
  private readonly connections: SharedConnections;
  private readonly lanes: SharedLanes;

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {
    super();
    this.connections = new SharedConnections(dataSource);
    this.lanes = new SharedLanes(
      ({ run, inContext }) => inContext(() => this.alone(run)),
      (works) => this.connections.run(works),
    );
  }

  run<T>(work: Work<T>): Promise<T> {
    const unit = this.scope.getStore();
    return unit ? work(unit) : this.alone((own) => this.enter(own, work));
  }

  together<T>(work: Work<T>): Promise<T> {
    return this.inUnit((unit) => this.enter(unit, work));
  }

  inUnit<T>(work: Work<T>): Promise<T> {
    const unit = this.scope.getStore();
    return unit ? work(unit) : this.lanes.run(work);
  }

  lastly<T>(work: () => Promise<T>, unit?: UnitOfWork): Promise<T> {
    const open = this.known(unit);
    return open ? open.lastly(work) : work();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.connections.close();
    // Tests run many applications in one process.
    if (!this.dataSource.isInitialized) this.scope.disable();
  }

  /**
   * Runs `work` behind a savepoint of the current transaction: when it rejects, its writes alone are undone and the
   * transaction can go on.
   * @throws Error when no transaction is open, or others share it
   */
  attempt<T>(work: () => Promise<T>): Promise<T> {
    if (this.scope.getStore() instanceof SharedUnit) throw new Error('a savepoint in a transaction that others share');
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
  async prepared<R extends QueryResultRow>(
    statement: NamedStatement,
    values: readonly unknown[],
    unit?: UnitOfWork,
  ): Promise<R[]> {
    return this.current(unit).rows<R>(statement, values);
  }

  /**
   * The rows for one question of a statement that can answer many: units that share a transaction ask together.
   * @throws Error outside a transaction
   */
  each<R extends QueryResultRow, Q>(statement: SetStatement<Q>, question: Q, unit?: UnitOfWork): Promise<R[]> {
    return this.current(unit).each<R, Q>(statement, question);
  }

  /** As `prepared`, for what is the same for all units that share a transaction, and has to happen once in it. */
  once(statement: NamedStatement, values: readonly unknown[], unit?: UnitOfWork): Promise<void> {
    return this.current(unit).once(statement, values);
  }

  /**
   * To be called before a row of that name is locked whose lock decides between units of work: row locks do not keep
   * those apart that share a transaction. Held until the unit ends.
   */
  apart(name: string, unit?: UnitOfWork): Promise<void> {
    return this.current(unit).apart(name);
  }

  /**
   * A prepared statement that is all that has to happen: a transaction of its own, which saves two ways to the
   * database, or part of the current one.
   */
  atOnce<R extends QueryResultRow>(statement: NamedStatement, values: readonly unknown[]): Promise<R[]> {
    if (this.scope.getStore()) return this.prepared<R>(statement, values);
    return runNamed<R>(poolOf(this.dataSource), statement, values);
  }

  /** Reads what a unit that was handed over sees. */
  readerOf(unit: UnitOfWork): EntityManager {
    return (unit as OpenUnit).manager;
  }

  /** Writes in a unit that was handed over. */
  writerOf(unit: UnitOfWork): EntityManager {
    const open = unit as OpenUnit;
    open.noteWrite();
    return open.manager;
  }

  get reader(): EntityManager {
    return this.scope.getStore()?.manager ?? this.dataSource.manager;
  }

  /** @throws Error outside a transaction: nothing is ever written by accident in a transaction of its own */
  get writer(): EntityManager {
    return this.writerOf(this.current());
  }

  /** In a transaction of its own that nothing finds by the context. */
  private alone<T>(work: Work<T>): Promise<T> {
    return this.dataSource.transaction((manager) => owned(manager, work));
  }

  private within<T>(manager: EntityManager, work: () => Promise<T>): Promise<T> {
    return owned(manager, (own) => this.enter(own, work));
  }

  /** Lets the work be found by its context, and whatever runs elsewhere not pay for that longer than it has to. */
  private async enter<T>(unit: OpenUnit, work: Work<T>): Promise<T> {
    this.inContext += 1;
    try {
      return await this.scope.run(unit, () => work(unit));
    } catch (error) {
      this.neededUntil = performance.now() + STRAGGLERS_MS;
      throw error;
    } finally {
      this.inContext -= 1;
      if (this.inContext === 0 && performance.now() >= this.neededUntil) this.scope.disable();
    }
  }

  private known(given?: UnitOfWork): OpenUnit | undefined {
    return (given as OpenUnit | undefined) ?? this.scope.getStore();
  }

  private current(given?: UnitOfWork): OpenUnit {
    const unit = this.known(given);
    if (!unit) throw new Error('write outside a transaction: open one with Transactions.run');
    return unit;
  }
}

function owned<T>(manager: EntityManager, work: Work<T>): Promise<T> {
  const own = new OwnTransaction(manager);
  return own.run(() => work(own));
}

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
