import DataLoader from 'dataloader';
import type { ClientBase, QueryResultRow } from 'pg';
import { isDatabaseUnavailable } from '../database-errors.js';
import { leaveTogether } from '../batching/leave-together.js';
import { runNamed, type NamedStatement } from '../batching/named-statement.js';
import { TOO_LATE } from './own-transaction.js';
import { rowsByPlace, type SetStatement } from '../batching/set-statement.js';

const MAX_QUESTIONS = 256;
const SETTLED = Promise.resolve();

type Rows = QueryResultRow[];

/**
 * A transaction in which several units of work go on side by side, over a connection on which statements are sent
 * without waiting for the answers to those before. What they ask of the same statement in one turn of the event loop
 * is asked once.
 */
export class SharedTransaction {
  private readonly sets = new Map<string, DataLoader<unknown, Rows>>();
  private readonly asked = new Map<string, Promise<void>>();
  private readonly turns = new Map<string, Promise<void>>();
  private readonly begun: Promise<unknown>;
  private unsent = 0;
  private spoilt = false;
  private over = false;
  private ending: Promise<boolean> | null = null;

  /**
   * Begins the transaction. What follows does not wait until it has: on its connections what is not part of a
   * transaction begun here cannot write.
   * @param units how many may still ask
   */
  constructor(
    private readonly client: ClientBase,
    private units: number,
  ) {
    leaveTogether(client);
    this.begun = client.query('begin read write');
    this.begun.catch(() => undefined);
  }

  /** Of a transaction that has not begun nothing was kept. */
  hasBegun(): Promise<boolean> {
    return this.begun.then(
      () => true,
      () => false,
    );
  }

  /** @throws Error for a write after the transaction: PostgreSQL would refuse it, as it would stand by itself */
  assertOpen(): void {
    if (this.over) throw new Error(TOO_LATE);
  }

  /** One unit less that may ask. */
  leave(): void {
    this.units -= 1;
  }

  /** A unit failed after it wrote: nobody may commit who has not heard of it. */
  spoil(): void {
    this.spoilt = true;
  }

  /** True when the last units said that they would do nothing more, so that the commit was sent behind their writes. */
  get isEnding(): boolean {
    return this.ending !== null;
  }

  /**
   * PostgreSQL answers the commit of a transaction in which a statement failed by undoing it, without an error.
   * @returns false when nothing was kept
   * @throws Error when the database went away: whether it was kept is not known then
   */
  commit(): Promise<boolean> {
    this.over = true;
    this.ending ??= this.client.query('commit').then(
      ({ command }) => command === 'COMMIT',
      (error: unknown) => {
        if (isDatabaseUnavailable(error)) throw error;
        return false;
      },
    );
    return this.ending;
  }

  /** Undoes what was not committed. */
  async rollback(): Promise<void> {
    this.over = true;
    await this.client.query('rollback');
  }

  async rows(statement: NamedStatement, values: readonly unknown[]): Promise<Rows> {
    if (this.over) throw new Error(TOO_LATE);
    leaveTogether(this.client);
    return runNamed(this.client, statement, values);
  }

  each<Q>(statement: SetStatement<Q>, question: Q): Promise<Rows> {
    let set = this.sets.get(statement.name);
    if (!set) {
      set = new DataLoader<unknown, Rows>((questions) => this.answers(statement, questions as readonly Q[]), {
        cache: false,
        maxBatchSize: MAX_QUESTIONS,
        batchScheduleFn: whenAllHaveAsked,
      });
      this.sets.set(statement.name, set);
    }
    this.unsent += 1;
    return set.load(question);
  }

  /** Asked by the first; the others get its answer. */
  once(statement: NamedStatement, values: readonly unknown[]): Promise<void> {
    const key = JSON.stringify([statement.name, values]);
    let answer = this.asked.get(key);
    if (!answer) this.asked.set(key, (answer = this.rows(statement, values).then(() => undefined)));
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
    const rows = this.rows(statement, statement.values(questions));
    this.unsent -= questions.length;
    // Nobody is left who could have a reason against it.
    if (this.units === 0 && this.unsent === 0 && !this.spoilt) this.commit().catch(() => undefined);
    return rowsByPlace(await rows, questions.length);
  }
}

/** After all that follows from what is known by now, and before the network is listened to again. */
function whenAllHaveAsked(send: () => void): void {
  void SETTLED.then(() => process.nextTick(send));
}
