import DataLoader from 'dataloader';
import type { ClientBase, QueryResultRow } from 'pg';
import { runNamed, type NamedStatement } from './named-statement.js';
import { TOO_LATE } from './own-transaction.js';
import { rowsByPlace, writes, type SetStatement } from './set-statement.js';

const MOST_QUESTIONS = 256;

type Rows = QueryResultRow[];

/**
 * A transaction in which several units of work go on side by side, over a connection on which statements are sent
 * without waiting for the answers to those before. What they ask of the same statement in one turn of the event loop
 * is asked once.
 */
export class SharedTransaction {
  private readonly sets = new Map<string, DataLoader<unknown, Rows>>();
  private readonly asked = new Map<string, Promise<Rows>>();
  private readonly turns = new Map<string, Promise<void>>();
  private readonly begun: Promise<unknown>;
  private open = false;
  private over = false;

  /** Begins the transaction. Statements that only read follow at once, without waiting until it has begun. */
  constructor(private readonly client: ClientBase) {
    this.begun = client.query('begin').then(() => (this.open = true));
    this.begun.catch(() => undefined);
  }

  /** Of a transaction that has not begun nothing was kept: what writes waits for that. */
  hasBegun(): Promise<boolean> {
    return this.begun.then(
      () => true,
      () => false,
    );
  }

  /** @throws Error for a write that may come before the transaction has begun, or after it: it would stand by itself */
  assertOpen(): void {
    if (!this.open || this.over) throw new Error('a write outside a shared transaction, as far as is known');
  }

  /** To be called before the transaction is ended: what would be sent from now on would stand by itself. */
  end(): void {
    this.over = true;
  }

  async rows(statement: NamedStatement, values: readonly unknown[]): Promise<Rows> {
    if (writes(statement)) await this.begun;
    if (this.over) throw new Error(TOO_LATE);
    return runNamed(this.client, statement, values);
  }

  each<Q>(statement: SetStatement<Q>, question: Q): Promise<Rows> {
    let set = this.sets.get(statement.name);
    if (!set) {
      set = new DataLoader<unknown, Rows>((questions) => this.answers(statement, questions as readonly Q[]), {
        cache: false,
        maxBatchSize: MOST_QUESTIONS,
        batchScheduleFn: (send) => setImmediate(send),
      });
      this.sets.set(statement.name, set);
    }
    return set.load(question);
  }

  /** Asked by the first; the others get its answer. */
  once(statement: NamedStatement, values: readonly unknown[]): Promise<Rows> {
    const key = JSON.stringify([statement.name, values]);
    let answer = this.asked.get(key);
    if (!answer) this.asked.set(key, (answer = this.rows(statement, values)));
    return answer;
  }

  /** Waits for the units that have this name before; they, and this one, give it free by calling what they got. */
  async turn(name: string): Promise<() => void> {
    const before = this.turns.get(name);
    let free: () => void = () => undefined;
    const mine = new Promise<void>((resolve) => (free = resolve));
    this.turns.set(name, before ? before.then(() => mine) : mine);
    await before;
    return free;
  }

  private async answers<Q>(statement: SetStatement<Q>, questions: readonly Q[]): Promise<Rows[]> {
    return rowsByPlace(await this.rows(statement, statement.values(questions)), questions.length);
  }
}

/** One of the units of work in a shared transaction. */
export class SharedUnit {
  /** Whether it has changed anything: then it cannot fail without undoing the others. */
  wrote = false;
  private readonly names = new Map<string, () => void>();

  constructor(readonly transaction: SharedTransaction) {}

  note(statement: NamedStatement): void {
    if (writes(statement)) this.wrote = true;
  }

  /** @throws Error as `assertOpen` of the transaction: a unit that is too early runs again, by itself */
  noteWrite(): void {
    this.transaction.assertOpen();
    this.wrote = true;
  }

  /** Row locks do not keep units of one transaction apart: this does, until the unit has ended. */
  async alone(name: string): Promise<void> {
    if (!this.names.has(name)) this.names.set(name, await this.transaction.turn(name));
  }

  end(): void {
    for (const free of this.names.values()) free();
  }
}
