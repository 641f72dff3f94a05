import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type pg from 'pg';
import type { QueryResultRow } from 'pg';
import { DataSource } from 'typeorm';
import { endWhenSilent } from '../connections/end-when-silent.js';
import { corkForTick } from './cork-for-tick.js';
import { KEYED_PLANS, runNamed, type NamedStatement } from './named-statement.js';
import { textRows, type TextRow } from '../connections/page-connections.js';
import { pipelinedClient } from './pipelined-client.js';

/** The server ends statements that run too long. The client gives up a little later, in case the server is frozen. */
const STATEMENT_TIMEOUT_MS = 10_000;
const SILENCE_MS = 12_000;

/**
 * One connection that sends queries without waiting for the answers to earlier ones. It is cheaper than a pool for
 * reads that take well under a millisecond; a slow read would delay all others behind it. If the connection is lost,
 * the queries under way fail, and the next query opens a new connection.
 */
@Injectable()
export class PipelinedConnection implements OnApplicationShutdown {
  private client: pg.Client | null = null;
  private connecting: Promise<pg.Client> | null = null;
  private ended = false;

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async rows<R extends QueryResultRow>(statement: NamedStatement, values: readonly unknown[]): Promise<R[]> {
    const client = this.client ?? (await this.connected());
    corkForTick(client);
    return runNamed<R>(client, statement, values);
  }

  /** Same as `rows`, but each row as text columns. */
  async texts(statement: NamedStatement, values: readonly unknown[]): Promise<TextRow[]> {
    const client = this.client ?? (await this.connected());
    corkForTick(client);
    return textRows(client, { ...statement, values: [...values] });
  }

  async onApplicationShutdown(): Promise<void> {
    this.ended = true;
    const client = this.client ?? (await this.connecting?.catch(() => null));
    await client?.end().catch(() => undefined);
  }

  private async connected(): Promise<pg.Client> {
    if (this.ended) throw new Error('Connection terminated: the process is ending');
    return (this.connecting ??= this.connect().finally(() => (this.connecting = null)));
  }

  private async connect(): Promise<pg.Client> {
    const client = pipelinedClient(this.dataSource, { options: KEYED_PLANS, statement_timeout: STATEMENT_TIMEOUT_MS });
    endWhenSilent(client, SILENCE_MS);
    const lost = () => {
      if (this.client === client) this.client = null;
    };
    client.on('error', lost);
    client.on('end', lost);
    await client.connect();
    this.client = client;
    return client;
  }
}
