import type { ClientBase, QueryResultRow } from 'pg';
import type { EntityManager } from 'typeorm';
import { runNamed, type NamedStatement } from '../batching/named-statement.js';

const TOO_LATE = 'the transaction has already ended';

/**
 * A transaction as repositories use it. Its connection runs one statement at a time; concurrent ones wait here. Nothing
 * is sent after a failed statement, after the work has failed, or after the end of the transaction, because it would
 * run outside the transaction.
 */
export class OpenTransaction {
  private last: Promise<unknown> = Promise.resolve();
  private over = false;

  constructor(readonly manager: EntityManager) {}

  /** Runs the work. Statements that it did not await finish before the transaction ends. */
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

  /** @throws Error if the transaction has ended: work left running by it must not start a new one */
  assertOpen(): void {
    if (this.over) throw new Error(TOO_LATE);
  }
}

async function connectionOf({ queryRunner }: EntityManager): Promise<ClientBase> {
  if (!queryRunner) throw new Error('the transaction has no connection');
  return (await queryRunner.connect()) as ClientBase;
}
