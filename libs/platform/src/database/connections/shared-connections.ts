import type { ClientBase } from 'pg';
import { DataSource, type QueryRunner } from 'typeorm';
import { DomainError } from '#kernel/errors';
import { isDatabaseUnavailable } from '../database-errors.js';
import { KEYED_PLANS } from '../batching/named-statement.js';
import { SharedTransaction } from '../transactions/shared-transaction.js';
import { SharedUnit } from '../transactions/shared-unit.js';
import type { Ends, Work } from '../transactions/shared-lanes.js';

const CONNECTIONS = 2;
/** Whoever waits longer for a lock keeps all others of the transaction waiting: each then goes on by itself. */
const LOCK_TIMEOUT_MS = 100;

type End = PromiseSettledResult<unknown> | { readonly failure: unknown };

/** The connections of shared transactions, opened when the first one is needed. */
export class SharedConnections {
  private opened: Promise<DataSource> | null = null;

  constructor(private readonly dataSource: DataSource) {}

  /**
   * Runs the units side by side in one transaction. One that is refused before it changed anything leaves the others
   * alone.
   * @returns null when nothing was kept, and each may be tried again
   * @throws Error when the database went away; whether the transaction was kept is not known then
   */
  async run(works: readonly Work[]): Promise<Ends> {
    const runner = await this.runner();
    if (!runner) return null;
    let clean = false;
    try {
      const client = (await runner.connect()) as ClientBase;
      const shared = new SharedTransaction(client, works.length);
      const ends = await Promise.all(works.map((work) => this.unit(new SharedUnit(runner.manager, shared), work)));
      const failed = ends.find((end) => 'failure' in end);
      const kept = (!failed || shared.isEnding) && (await shared.commit());
      if (!kept) await shared.rollback();
      clean = true;
      if (kept) return ends.map(settled);
      if (failed && isDatabaseUnavailable(failed.failure) && (await shared.hasBegun())) throw failed.failure;
      return null;
    } finally {
      await (clean ? runner.release() : giveUp(runner));
    }
  }

  async close(): Promise<void> {
    const source = await this.opened?.catch(() => null);
    await source?.destroy().catch(() => undefined);
  }

  private async runner(): Promise<QueryRunner | null> {
    let runner: QueryRunner | null = null;
    try {
      runner = (await this.source()).createQueryRunner();
      await runner.connect();
      return runner;
    } catch {
      if (runner) await giveUp(runner);
      return null;
    }
  }

  private source(): Promise<DataSource> {
    this.opened ??= open(this.dataSource).catch((error: unknown) => {
      this.opened = null;
      throw error;
    });
    return this.opened;
  }

  private async unit(unit: SharedUnit, { run, inContext }: Work): Promise<End> {
    let end: End;
    try {
      end = { status: 'fulfilled', value: await inContext(() => run(unit)) };
    } catch (error) {
      end = error instanceof DomainError && !unit.wrote ? { status: 'rejected', reason: error } : { failure: error };
    }
    unit.end('failure' in end);
    return end;
  }
}

/** What reaches the server outside a transaction begun as one that writes is refused, whatever went wrong before. */
const READ_ONLY = '-c default_transaction_read_only=on';

/** Without entities: nothing is written through them here, and their metadata take time to build. */
function open({ options }: DataSource): Promise<DataSource> {
  const { extra } = options as { extra?: object };
  const pipelined = {
    ...extra,
    pipeline: true,
    lock_timeout: LOCK_TIMEOUT_MS,
    options: `${KEYED_PLANS} ${READ_ONLY}`,
  };
  const own = { ...options, entities: [], migrations: [], poolSize: CONNECTIONS, extra: pipelined };
  return new DataSource(own as typeof options).initialize();
}

/** What was committed stands, also of a unit that failed over the answer to what it did last. */
function settled(end: End): PromiseSettledResult<unknown> {
  return 'failure' in end ? { status: 'rejected', reason: end.failure } : end;
}

/** Ends the connection, whatever state it is in. */
async function giveUp(runner: QueryRunner): Promise<void> {
  const client = (await runner.connect().catch(() => null)) as { end(): Promise<void> } | null;
  await client?.end().catch(() => undefined);
  await runner.release().catch(() => undefined);
}
