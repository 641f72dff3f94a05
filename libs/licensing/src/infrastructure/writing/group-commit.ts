import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type pg from 'pg';
import { DataSource } from 'typeorm';
import { corkForTick } from '#platform/database/batching/cork-for-tick';
import { KEYED_PLANS, runNamed } from '#platform/database/batching/named-statement';
import { pipelinedClient } from '#platform/database/batching/pipelined-client';
import { endWhenSilent } from '#platform/database/connections/end-when-silent';
import type { LicenseWrite, WrittenRow } from './license-write.js';
import { WriteSet } from './write-set.js';

/** One set is prepared while the other waits for its responses. */
const MAX_SETS_UNDER_WAY = 2;
const MAX_SET_SIZE = 32;
/** A second set starts only if this many writes wait, because larger sets are cheaper for each write. */
const MIN_WRITES_FOR_ANOTHER_SET = 4;
/** A longer wait for a lock would delay the whole set. The set then fails, and each write runs by itself. */
const LOCK_TIMEOUT_MS = 100;
const STATEMENT_TIMEOUT_MS = 30_000;
const SILENCE_MS = 35_000;
/** Sessions are read-only, so a statement that ends up outside our read-write transaction is refused. */
const READ_ONLY = '-c default_transaction_read_only=on';

interface Waiting {
  readonly write: LicenseWrite;
  readonly resolve: (row: WrittenRow | null) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes that wait at the same time share one transaction, like the group commit of a database log. Begin, statements
 * and commit leave in one packet and are answered in one. Every statement fails unless it does all of its work, so a
 * commit is always complete. If one write of a set fails, the set is rolled back and each write runs by itself.
 */
@Injectable()
export class GroupCommit implements OnApplicationShutdown {
  private readonly idle: pg.Client[] = [];
  private waiting: Waiting[] = [];
  private underWay = 0;
  private starting = false;

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /**
   * @returns the result of the write's first statement; null if nothing was written and the caller must write by itself
   * @throws Error if the connection was lost: then it is unknown whether it was written
   */
  commit(write: LicenseWrite): Promise<WrittenRow | null> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ write, resolve, reject });
      this.startSoon();
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.idle.splice(0).map((client) => client.end().catch(() => undefined)));
  }

  /** Starts in the next turn of the event loop, so that all writes of this turn share a set. */
  private startSoon(): void {
    if (this.starting || !this.mayStart()) return;
    this.starting = true;
    setImmediate(() => {
      this.starting = false;
      while (this.mayStart()) void this.run(this.waiting.splice(0, MAX_SET_SIZE));
    });
  }

  private mayStart(): boolean {
    const enough = this.underWay === 0 ? 1 : MIN_WRITES_FOR_ANOTHER_SET;
    return this.underWay < MAX_SETS_UNDER_WAY && this.waiting.length >= enough;
  }

  private async run(set: readonly Waiting[]): Promise<void> {
    this.underWay += 1;
    try {
      const rows = await this.send(new WriteSet(set.map(({ write }) => write)));
      for (const [index, { resolve }] of set.entries()) resolve(rows?.[index] ?? null);
    } catch (error) {
      for (const { reject } of set) reject(error);
    } finally {
      this.underWay -= 1;
      this.startSoon();
    }
  }

  /** Null if nothing was committed. */
  private async send(set: WriteSet): Promise<WrittenRow[] | null> {
    const statements = set.statements();
    const client = this.idle.pop() ?? (await this.connect());
    // Nothing was sent. The write on its own connection will report why the database is unreachable.
    if (!client) return null;
    corkForTick(client);
    const begun = client.query('begin read write');
    const answers = Promise.all(statements.map(({ statement, values }) => runNamed(client, statement, values)));
    // A failed statement has aborted the transaction: PostgreSQL answers the commit with a rollback.
    const ended = client.query('commit');
    ended.catch(() => undefined); // thrown by `await ended` below
    await Promise.allSettled([begun, answers]);
    const { command } = await ended;
    this.idle.push(client);
    return command === 'COMMIT' ? set.firstRows(await answers) : null;
  }

  private async connect(): Promise<pg.Client | null> {
    const client = pipelinedClient(this.dataSource, {
      options: `${KEYED_PLANS} ${READ_ONLY}`,
      lock_timeout: LOCK_TIMEOUT_MS,
      statement_timeout: STATEMENT_TIMEOUT_MS,
    });
    endWhenSilent(client, SILENCE_MS);
    const lost = () => {
      const place = this.idle.indexOf(client);
      if (place >= 0) this.idle.splice(place, 1);
    };
    client.on('error', lost);
    client.on('end', lost);
    return client.connect().then(
      () => client,
      () => null,
    );
  }
}
