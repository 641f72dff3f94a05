import pg from 'pg';

/**
 * A connection of a pool. Its loss fails the query that is under way and the next one, and never ends the process:
 * when it is lost between two holders, in the moment in which neither listens for errors, nobody else would.
 */
export class PooledClient extends pg.Client {
  constructor(options?: pg.ClientConfig) {
    super(options);
    this.on('error', () => undefined);
  }
}
