import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type pg from 'pg';
import type { QueryResultRow } from 'pg';
import { DataSource } from 'typeorm';
import { endWhenSilent } from '../connections/end-when-silent.js';
import { leaveTogether } from './leave-together.js';
import { KEYED_PLANS, runNamed, type NamedStatement } from './named-statement.js';
import { textRows, type TextRow } from '../connections/page-connections.js';
import { pipelinedClient } from './pipelined-client.js';

/** The server ends what runs too long; the client gives up a little later, should the server be frozen. */
const STATEMENT_TIMEOUT_MS = 10_000;
const SILENCE_MS = 12_000;

/**
 * One connection on which questions are sent without waiting for the answers to those before. Cheaper than any pool
 * for reads that take well under a millisecond; a slow one would hold up everybody behind it. A connection that was
 * lost fails what was under way, and the next question opens a new one.
 */
@Injectable()
export class PipelinedConnection implements OnApplicationShutdown {
  private client: pg.Client | null = null;
  private connecting: Promise<pg.Client> | null = null;
  private ended = false;

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async rows<R extends QueryResultRow>(statement: NamedStatement, values: readonly unknown[]): Promise<R[]> {
    const client = this.client ?? (await this.connected());
    leaveTogether(client);
    return runNamed<R>(client, statement, values);
  }

  /** The same, a row as its texts. */
  async texts(statement: NamedStatement, values: readonly unknown[]): Promise<TextRow[]> {
    const client = this.client ?? (await this.connected());
    leaveTogether(client);
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
