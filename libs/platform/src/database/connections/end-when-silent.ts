import type { Socket } from 'node:net';
import type pg from 'pg';

/** The driver's types leave out the flag: false while an answer is pending. */
type WatchedClient = pg.Client & { readonly readyForQuery: boolean };

/**
 * Closes a connection whose server owes an answer and has been silent for the given time, frozen or cut off. The query
 * fails with `Query read timeout`. This replaces the driver's `query_timeout`, whose timer for each query kept results
 * in memory: a hundred megabytes in a long export.
 * @param ms milliseconds; more than the server's own `statement_timeout`
 */
export function endWhenSilent(client: pg.Client, ms: number): void {
  // After connecting, because TLS replaces the first stream.
  client.once('connect', () => watchSilence(client, ms));
}

/** Same as `endWhenSilent`, for an open connection. */
export function watchSilence(client: pg.ClientBase, ms: number): void {
  const watched = client as WatchedClient;
  const stream = watched.connection.stream as Socket;
  stream.setTimeout(ms);
  // A listener, because the callback of `setTimeout` is called only once, and a connection is idle many times.
  stream.on('timeout', () => {
    if (!watched.readyForQuery) stream.destroy(new Error('Query read timeout'));
  });
}
