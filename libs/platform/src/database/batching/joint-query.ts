import pg from 'pg';
import type { NamedStatement } from './named-statement.js';
import type { TextRow } from '../connections/page-connections.js';

/** A statement with its values, and whoever waits for its rows. */
export interface Question {
  readonly statement: NamedStatement;
  readonly values: readonly unknown[];
  readonly resolve: (rows: TextRow[]) => void;
  readonly reject: (error: Error) => void;
}

/** What the driver's types leave out: the statements that a connection was told of, and has not said to know yet. */
type Connection = pg.Connection & { readonly submittedNamedStatements: Record<string, string> };

/**
 * Reads that the server answers together: behind the last of them it is told once that no more will come, in place of
 * once behind each. For all of them it needs one transaction, one call of the kernel and one wake-up of this process.
 * Nor is it asked for the names and types of the columns: rows come as texts.
 *
 * To be given to `query` of a client. The server leaves out what is behind a question that fails; `onLeftOut` is told.
 */
export class JointQuery extends pg.Query {
  /** Of the question that is answered next: what the driver notes as prepared, or forgets, when the server says so. */
  private name = '';
  private text = '';
  private found: TextRow[] = [];
  private answered = 0;

  constructor(
    private readonly questions: readonly Question[],
    private readonly onLeftOut: (questions: readonly Question[]) => void,
  ) {
    super('');
    this.expectNext();
  }

  /** As the driver demands: what went wrong is returned, and comes back to `handleError`. */
  override submit = (connection: pg.Connection): Error | undefined => {
    const { stream } = connection;
    stream.cork();
    try {
      for (const { statement, values } of this.questions) send(statement, values, unended(connection));
      connection.sync();
      return undefined;
    } catch (error) {
      // Half of it is on its way, and whatever came next over this connection would be taken for a part of it.
      stream.destroy();
      connection.emit('error', error);
      return error as Error;
    } finally {
      stream.uncork();
    }
  };

  handleDataRow({ fields }: { readonly fields: TextRow }): void {
    this.found.push(fields);
  }

  handleCommandComplete(): void {
    const rows = this.found;
    this.found = [];
    this.questions[this.answered++]?.resolve(rows);
    this.expectNext();
  }

  handleReadyForQuery(): void {
    // Nobody waits for this: each question was answered, or refused, when its own answer came.
  }

  handleError(error: Error, connection: Connection): void {
    const [failed, ...behind] = this.questions.slice(this.answered);
    for (const { statement } of behind) delete connection.submittedNamedStatements[statement.name];
    failed?.reject(error);
    if (error instanceof pg.DatabaseError) this.onLeftOut(behind);
    else for (const question of behind) question.reject(error);
  }

  private expectNext(): void {
    const next = this.questions[this.answered]?.statement;
    this.name = next?.name ?? '';
    this.text = next?.text ?? '';
  }
}

/** The driver's own query, made once for each statement and sent with other values each time. */
type Sender = Omit<pg.Query, 'submit'> & {
  values: readonly unknown[];
  submit(connection: pg.Connection): Error | null;
};
const senders = new WeakMap<NamedStatement, Sender>();

/** @throws Error when the values are none that can be sent */
function send(statement: NamedStatement, values: readonly unknown[], connection: pg.Connection): void {
  let sender = senders.get(statement);
  if (!sender) senders.set(statement, (sender = new pg.Query({ ...statement, values: [] }) as unknown as Sender));
  sender.values = values;
  const error = sender.submit(connection);
  if (error) throw error;
}

const seen = new WeakMap<pg.Connection, pg.Connection>();

/** The same connection, over which no query says that it is the last or asks what its columns are. */
function unended(connection: pg.Connection): pg.Connection {
  const known = seen.get(connection);
  if (known) return known;
  const nothing = { value: () => undefined };
  const made = Object.create(connection, { sync: nothing, describe: nothing }) as pg.Connection;
  seen.set(connection, made);
  return made;
}
