import type { Socket } from 'node:net';
import type pg from 'pg';

/** What the driver's types leave out. */
interface Inside {
  readonly connection: { readonly stream: Socket };
  /** False while an answer is owed. */
  readonly readyForQuery: boolean;
}

/**
 * Ends a connection whose server owes an answer and has been silent for that long, be it frozen or cut off: what was
 * asked fails with `Query read timeout`. In place of the driver's `query_timeout`, which makes a timer for each
 * question: with them answers outlived their use by far, a hundred megabytes of them in a long export.
 * @param ms milliseconds; more than the server's own `statement_timeout`
 */
export function endWhenSilent(client: pg.Client, ms: number): void {
  // Not before: with TLS another stream takes the place of the first one.
  client.once('connect', () => watchSilence(client, ms));
}

/** The same for a connection that is made already. */
export function watchSilence(client: pg.ClientBase, ms: number): void {
  const inside = client as unknown as Inside;
  const { stream } = inside.connection;
  stream.setTimeout(ms);
  // Not as the callback of `setTimeout`, which is called once: a connection has many times in which nothing is asked.
  stream.on('timeout', () => {
    if (!inside.readyForQuery) stream.destroy(new Error('Query read timeout'));
  });
}
