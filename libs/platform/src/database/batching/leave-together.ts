import type { Writable } from 'node:stream';
import type { ClientBase } from 'pg';

const corked = new WeakSet<Writable>();

/**
 * Statements that are sent over a pipelined connection in the same go leave in one write: each write is a call of the
 * kernel, and wakes the server for itself. To be called before a statement is sent.
 */
export function leaveTogether(client: ClientBase): void {
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection;
  if (corked.has(stream)) return;
  corked.add(stream);
  stream.cork();
  // Twice: what `DataLoader` batches is sent in a tick of its own, asked for after this one.
  process.nextTick(() =>
    process.nextTick(() => {
      corked.delete(stream);
      stream.uncork();
    }),
  );
}
