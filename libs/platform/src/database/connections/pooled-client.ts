import pg from 'pg';
import { endWhenSilent } from './end-when-silent.js';

export interface PooledClientConfig extends pg.ClientConfig {
  /** Milliseconds that the server may be silent while it owes an answer. */
  readonly silenceMillis?: number;
}

/**
 * A connection of a pool. Its loss fails the query that is under way and the next one, and never ends the process:
 * when it is lost between two holders, in the moment in which neither listens for errors, nobody else would.
 */
export class PooledClient extends pg.Client {
  constructor(options?: PooledClientConfig) {
    super(options);
    this.on('error', () => undefined);
    if (options?.silenceMillis) endWhenSilent(this, options.silenceMillis);
  }
}
