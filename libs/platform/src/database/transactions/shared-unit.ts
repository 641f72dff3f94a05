import type { QueryResultRow } from 'pg';
import type { EntityManager } from 'typeorm';
import type { NamedStatement } from '../batching/named-statement.js';
import { OpenUnit } from './open-unit.js';
import { writes, type SetStatement } from '../batching/set-statement.js';
import type { SharedTransaction } from './shared-transaction.js';

/** One of the units of work in a shared transaction. */
export class SharedUnit extends OpenUnit {
  /** Whether it has changed anything: then it cannot fail without undoing the others. */
  wrote = false;
  private readonly names = new Map<string, () => void>();
  private hasLeft = false;

  constructor(
    manager: EntityManager,
    private readonly transaction: SharedTransaction,
  ) {
    super(manager);
  }

  async rows<R extends QueryResultRow>(statement: NamedStatement, values: readonly unknown[]): Promise<R[]> {
    this.note(statement);
    return (await this.transaction.rows(statement, values)) as R[];
  }

  /** Units that share a transaction ask together. */
  each<R extends QueryResultRow, Q>(statement: SetStatement<Q>, question: Q): Promise<R[]> {
    this.note(statement);
    return this.transaction.each(statement, question) as Promise<R[]>;
  }

  once(statement: NamedStatement, values: readonly unknown[]): Promise<void> {
    return this.transaction.once(statement, values);
  }

  lastly<T>(work: () => Promise<T>): Promise<T> {
    const result = work();
    this.leave();
    return result;
  }

  /** @throws Error as `assertOpen` of the transaction */
  noteWrite(): void {
    this.transaction.assertOpen();
    this.wrote = true;
  }

  /** Row locks do not keep units of one transaction apart: this does, until the unit has ended. */
  async apart(name: string): Promise<void> {
    if (!this.names.has(name)) this.names.set(name, await this.transaction.turn(name));
  }

  /** @param failed whether what it wrote must be undone */
  end(failed: boolean): void {
    if (failed) this.transaction.spoil();
    else this.leave();
    for (const free of this.names.values()) free();
  }

  private note(statement: NamedStatement): void {
    if (writes(statement)) this.wrote = true;
  }

  private leave(): void {
    if (this.hasLeft) return;
    this.hasLeft = true;
    this.transaction.leave();
  }
}
