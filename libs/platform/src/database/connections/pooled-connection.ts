import type pg from 'pg';
import { watchSilence } from './end-when-silent.js';

/**
 * What a pool does with each new connection (`onConnect`). Its loss fails the query that is under way and the next one,
 * and never ends the process: when it is lost between two holders, in the moment in which neither listens for errors,
 * nobody else would.
 * @param silenceMillis how long the server may be silent while it owes an answer; not limited when left out
 */
export function pooledConnection(silenceMillis?: number): (client: pg.ClientBase) => void {
  return (client) => {
    client.on('error', () => undefined);
    if (silenceMillis) watchSilence(client, silenceMillis);
  };
}
