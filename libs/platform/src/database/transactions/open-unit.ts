import type { QueryResultRow } from 'pg';
import type { EntityManager } from 'typeorm';
import { UnitOfWork } from '#kernel/transactions';
import type { NamedStatement } from '../batching/named-statement.js';
import type { SetStatement } from '../batching/set-statement.js';

/** A unit of work as repositories use it, whether its transaction is its own or shared. */
export abstract class OpenUnit extends UnitOfWork {
  protected readonly isUnitOfWork = true;

  constructor(readonly manager: EntityManager) {
    super();
  }

  /** The rows of a prepared statement. */
  abstract rows<R extends QueryResultRow>(statement: NamedStatement, values: readonly unknown[]): Promise<R[]>;
  /** The rows for one question of a statement that can answer many. */
  abstract each<R extends QueryResultRow, Q>(statement: SetStatement<Q>, question: Q): Promise<R[]>;
  /** As `rows`, for what has to happen once in a transaction. */
  abstract once(statement: NamedStatement, values: readonly unknown[]): Promise<void>;
  /** Waits for the units of the transaction that have this name before. Held until the unit ends. */
  abstract apart(name: string): Promise<void>;
  /** Runs what the unit does at last: all that it asks for it asks without waiting. */
  abstract lastly<T>(work: () => Promise<T>): Promise<T>;
  /** To be called before what is not asked here changes anything. */
  abstract noteWrite(): void;
}
