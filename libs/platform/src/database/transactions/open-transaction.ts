import type { ClientBase, QueryResultRow } from 'pg';
import type { EntityManager } from 'typeorm';
import { runNamed, type NamedStatement } from '../batching/named-statement.js';

const TOO_LATE = 'a statement for a transaction that has ended';

/**
 * A transaction as repositories use it. Its connection takes one statement at a time: those that are asked together wait
 * here. After one that failed, once the work has, and after the transaction none is sent: it would stand by itself.
 */
export class OpenTransaction {
  private last: Promise<unknown> = Promise.resolve();
  private over = false;

  constructor(readonly manager: EntityManager) {}

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

  /** The rows of a prepared statement. */
  rows<R extends QueryResultRow>(statement: NamedStatement, values: readonly unknown[]): Promise<R[]> {
    const rows = this.last.then(async () => {
      const connection = await connectionOf(this.manager);
      if (this.over) throw new Error(TOO_LATE);
      return runNamed<R>(connection, statement, values);
    });
    this.last = rows;
    return rows;
  }

  /** @throws Error when the transaction has ended: what was left running by it must not begin one of its own */
  assertOpen(): void {
    if (this.over) throw new Error(TOO_LATE);
  }
}

async function connectionOf({ queryRunner }: EntityManager): Promise<ClientBase> {
  if (!queryRunner) throw new Error('a transaction without a connection');
  return (await queryRunner.connect()) as ClientBase;
}
