import type { ClientBase, QueryResultRow } from 'pg';
import type { EntityManager } from 'typeorm';
import { runNamed, type NamedStatement } from '../batching/named-statement.js';
import { OpenUnit } from './open-unit.js';
import { rowsByPlace, type SetStatement } from '../batching/set-statement.js';

export const TOO_LATE = 'a statement for a transaction that has ended';

/**
 * A transaction of one unit of work. Its connection takes one statement at a time: those that are asked together wait
 * here. After one that failed, once the work has, and after the transaction none is sent: it would stand by itself.
 */
export class OwnTransaction extends OpenUnit {
  private last: Promise<unknown> = Promise.resolve();
  private over = false;

  /** Runs the work. What it asked for without waiting ends before the transaction does. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    try {
      const result = await work();
      await this.last.catch(() => undefined);
      return result;
    } finally {
      this.over = true;
      await this.last.catch(() => undefined);
    }
  }

  rows<R extends QueryResultRow>(statement: NamedStatement, values: readonly unknown[]): Promise<R[]> {
    const rows = this.last.then(async () => {
      const connection = await connectionOf(this.manager);
      if (this.over) throw new Error(TOO_LATE);
      return runNamed<R>(connection, statement, values);
    });
    this.last = rows;
    return rows;
  }

  async each<R extends QueryResultRow, Q>(statement: SetStatement<Q>, question: Q): Promise<R[]> {
    const rows = await this.rows(statement, statement.values([question]));
    return rowsByPlace<R>(rows, 1)[0] ?? [];
  }

  async once(statement: NamedStatement, values: readonly unknown[]): Promise<void> {
    await this.rows(statement, values);
  }

  /** Row locks do it. */
  apart(): Promise<void> {
    return Promise.resolve();
  }

  lastly<T>(work: () => Promise<T>): Promise<T> {
    return work();
  }

  noteWrite(): void {}
}

async function connectionOf({ queryRunner }: EntityManager): Promise<ClientBase> {
  if (!queryRunner) throw new Error('a transaction without a connection');
  return (await queryRunner.connect()) as ClientBase;
}
