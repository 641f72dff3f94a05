import type pg from 'pg';
import { watchSilence } from './end-when-silent.js';

/**
 * Prepares each new connection of a pool (`onConnect`). If it is lost, the running query and the next one fail, but the
 * process survives. Without this listener, a connection lost between two users, when neither listens for errors, would
 * end the process.
 * @param silenceMillis how long the server may be silent while an answer is pending; no limit if omitted
 */
export function pooledConnection(silenceMillis?: number): (client: pg.ClientBase) => void {
  return (client) => {
    client.on('error', () => undefined);
    if (silenceMillis) watchSilence(client, silenceMillis);
  };
}
