import type { Socket } from 'node:net';
import type pg from 'pg';

/** Members missing from the driver's types. */
interface Inside {
  readonly connection: { readonly stream: Socket };
  /** False while an answer is pending. */
  readonly readyForQuery: boolean;
}

/**
 * Closes a connection whose server owes an answer and has been silent for the given time, frozen or cut off. The query
 * fails with `Query read timeout`. This replaces the driver's `query_timeout`, whose timer for each query kept results
 * in memory: a hundred megabytes in a long export.
 * @param ms milliseconds; more than the server's own `statement_timeout`
 */
export function endWhenSilent(client: pg.Client, ms: number): void {
  // Not earlier: with TLS the first stream is replaced.
  client.once('connect', () => watchSilence(client, ms));
}

/** Same as `endWhenSilent`, for an open connection. */
export function watchSilence(client: pg.ClientBase, ms: number): void {
  const inside = client as unknown as Inside;
  const { stream } = inside.connection;
  stream.setTimeout(ms);
  // Not as the callback of `setTimeout`, which is called only once: a connection is idle many times.
  stream.on('timeout', () => {
    if (!inside.readyForQuery) stream.destroy(new Error('Query read timeout'));
  });
}
