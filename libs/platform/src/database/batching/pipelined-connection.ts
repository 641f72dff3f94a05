import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import pg, { type QueryResultRow } from 'pg';
import { DataSource } from 'typeorm';
import { endWhenSilent } from '../connections/end-when-silent.js';
import { JointReads } from './joint-reads.js';
import { leaveTogether } from './leave-together.js';
import { KEYED_PLANS, runNamed, type NamedStatement } from './named-statement.js';
import type { TextRow } from '../connections/page-connections.js';

const CONNECT_TIMEOUT_MS = 5_000;
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
  /** Of the same client. */
  private joint: JointReads | null = null;
  private connecting: Promise<pg.Client> | null = null;
  private ended = false;

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async rows<R extends QueryResultRow>(statement: NamedStatement, values: readonly unknown[]): Promise<R[]> {
    const client = this.client ?? (await this.connected());
    leaveTogether(client);
    return runNamed<R>(client, statement, values);
  }

  /** What is asked in one go is answered in one go. */
  texts(statement: NamedStatement, values: readonly unknown[]): Promise<TextRow[]> {
    return this.joint ? this.joint.rows(statement, values) : this.connected().then(() => this.texts(statement, values));
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
    const { url, applicationName } = this.dataSource.options as { url?: string; applicationName?: string };
    const client = new pg.Client({
      connectionString: url,
      pipeline: true,
      options: KEYED_PLANS,
      keepAlive: true,
      application_name: applicationName,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      statement_timeout: STATEMENT_TIMEOUT_MS,
    });
    endWhenSilent(client, SILENCE_MS);
    const lost = () => {
      if (this.client !== client) return;
      this.client = null;
      this.joint = null;
    };
    client.on('error', lost);
    client.on('end', lost);
    await client.connect();
    this.client = client;
    this.joint = new JointReads(client);
    return client;
  }
}
