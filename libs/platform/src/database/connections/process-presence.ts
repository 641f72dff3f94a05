import { randomInt } from 'node:crypto';
import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { KEYED_PLANS } from '../batching/named-statement.js';
import { TypeOrmTransactions } from '../transactions/typeorm-transactions.js';

/** First half of the advisory locks by which processes show that they live. */
const PRESENCE = 74_021;
const RETRY_MS = 500;

/**
 * Tells the processes that live from those that died. Each holds an advisory lock of its own on a connection of its
 * own; PostgreSQL lets go of it the moment the process is gone, whatever killed it, so no clock decides. A process that
 * is merely frozen still counts as living. One that lost its connection counts as dead for a moment: whoever takes over
 * its work must be able to fence it off.
 */
@Injectable()
export class ProcessPresence implements OnModuleInit, OnApplicationShutdown {
  /** By which this process signs what it has begun. */
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

  /** Asked on the connection of the current transaction: one that waited for a second could wait for ever. */
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
   * Sends a statement over the connection that shows this process: when this returns it is with the network, and should
   * the process be killed now, PostgreSQL executes it before it takes the process for dead. One at a time: what is sent
   * while another is unanswered can get lost with the process.
   * @returns settles when the statement is executed; rejects when that is not known
   * @throws Error while there is no connection: nothing was sent
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
        this.logger.warn(`presence not shown: ${String(error)}`);
        setTimeout(again, RETRY_MS).unref();
      });
    };
    again();
  }
}
