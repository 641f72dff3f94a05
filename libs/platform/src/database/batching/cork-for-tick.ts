import type { Writable } from 'node:stream';
import type pg from 'pg';

const corked = new WeakSet<Writable>();

/**
 * Sends statements of the same tick over a pipelined connection in one socket write. Each write is a system call and
 * wakes the server. Call it before a statement is sent.
 */
export function corkForTick(client: pg.Client): void {
  const { stream } = client.connection;
  if (corked.has(stream)) return;
  corked.add(stream);
  stream.cork();
  // Two ticks, because `DataLoader` sends its batches in a tick scheduled after this one.
  process.nextTick(() =>
    process.nextTick(() => {
      corked.delete(stream);
      stream.uncork();
    }),
  );
}
