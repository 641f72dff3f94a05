import { randomInt } from 'node:crypto';
import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { KEYED_PLANS } from '../batching/named-statement.js';
import { TypeOrmTransactions } from '../transactions/typeorm-transactions.js';

/** First half of the advisory locks by which processes show that they are alive. */
const PRESENCE = 74_021;
const RETRY_MS = 500;

/**
 * Tells live processes from dead ones. Each process holds an advisory lock on its own connection. PostgreSQL releases
 * it as soon as the process is gone, whatever killed it, so no clock is involved. A frozen process still counts as
 * alive. A process that lost its connection counts as dead for a moment, so another that takes over its work must fence
 * it off.
 */
@Injectable()
export class ProcessPresence implements OnModuleInit, OnApplicationShutdown {
  /** The id with which this process signs its work. */
  readonly id = randomInt(1, 2 ** 31 - 1);
  private readonly logger = new Logger(ProcessPresence.name);
  private client: pg.Client | null = null;
  private connected = false;
  private ended = false;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly transactions: TypeOrmTransactions,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.appear();
  }

  async onApplicationShutdown(): Promise<void> {
    this.ended = true;
    await this.client?.end().catch(() => undefined);
  }

  /** Uses the connection of the current transaction: waiting for a second connection could deadlock. */
  async isAlive(id: number): Promise<boolean> {
    const rows: unknown[] = await this.transactions.reader.query(
      `select 1 from pg_locks
        where locktype = 'advisory' and granted and objsubid = 2 and classid = $1 and objid = $2
          and database = (select oid from pg_database where datname = current_database())`,
      [PRESENCE, id],
    );
    return rows.length > 0;
  }

  /**
   * Sends a statement over the presence connection. When this returns, the statement is on the network: even if the
   * process is killed now, PostgreSQL executes it before it considers the process dead. Send one at a time: a statement
   * sent while another is pending can be lost with the process.
   * @returns settles when the statement is executed; rejects if that is unknown
   * @throws Error without a connection: nothing was sent
   */
  tell(statement: { readonly name: string; readonly text: string }, values: readonly unknown[]): Promise<void> {
    if (!this.client || !this.connected) throw new Error('the database is not connected');
    return this.client.query({ name: statement.name, text: statement.text, values: [...values] }).then(() => undefined);
  }

  private async appear(): Promise<void> {
    const connectionString = (this.dataSource.options as { url?: string }).url;
    const client = new pg.Client({
      connectionString,
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
      application_name: 'tenantry-presence',
      options: KEYED_PLANS,
    });
    // Without a listener a lost connection would end the process.
    client.on('error', () => (client === this.client ? (this.connected = false) : undefined));
    client.on('end', () => this.reappear(client));
    await client.connect();
    await client.query('select pg_advisory_lock($1, $2)', [PRESENCE, this.id]);
    this.client = client;
    this.connected = true;
  }

  private reappear(lost: pg.Client): void {
    if (this.client !== lost) return;
    this.connected = false;
    if (this.ended) return;
    const again = () => {
      if (this.ended) return;
      this.appear().catch((error: unknown) => {
        this.logger.warn(`presence connection not restored, trying again: ${String(error)}`);
        setTimeout(again, RETRY_MS).unref();
      });
    };
    again();
  }
}
