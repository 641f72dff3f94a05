import type { ClientBase } from 'pg';
import { DataSource, type EntityManager, type QueryRunner } from 'typeorm';
import { DomainError } from '#kernel/errors';
import { isDatabaseUnavailable } from './database-errors.js';
import { GENERIC_PLANS } from './named-statement.js';
import { SharedTransaction, SharedUnit } from './shared-transaction.js';
import type { Ends, Work } from './shared-lanes.js';

const CONNECTIONS = 2;
/** Whoever waits longer for a lock keeps all others of the transaction waiting: each then goes on by itself. */
const LOCK_TIMEOUT_MS = 100;

type Enter = (manager: EntityManager, unit: SharedUnit, run: Work['run']) => Promise<unknown>;
type End = PromiseSettledResult<unknown> | { readonly failure: unknown };

/** The connections of shared transactions, opened when the first one is needed. */
export class SharedConnections {
  private opened: Promise<DataSource> | null = null;

  /** @param enter runs a unit so that repositories find the transaction */
  constructor(
    private readonly dataSource: DataSource,
    private readonly enter: Enter,
  ) {}

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
      const shared = new SharedTransaction(client);
      const ends = await Promise.all(works.map((work) => this.unit(runner.manager, new SharedUnit(shared), work)));
      shared.end();
      const failed = ends.find((end) => 'failure' in end);
      const kept = !failed && (await commit(client));
      if (!kept) await client.query('rollback');
      clean = true;
      if (failed && isDatabaseUnavailable(failed.failure) && (await shared.hasBegun())) throw failed.failure;
      return kept ? (ends as PromiseSettledResult<unknown>[]) : null;
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

  private async unit(manager: EntityManager, unit: SharedUnit, { run, inContext }: Work): Promise<End> {
    try {
      return { status: 'fulfilled', value: await inContext(() => this.enter(manager, unit, run)) };
    } catch (error) {
      return error instanceof DomainError && !unit.wrote ? { status: 'rejected', reason: error } : { failure: error };
    } finally {
      unit.end();
    }
  }
}

/** Without entities: nothing is written through them here, and their metadata take time to build. */
function open({ options }: DataSource): Promise<DataSource> {
  const { extra } = options as { extra?: object };
  const pipelined = { ...extra, pipeline: true, lock_timeout: LOCK_TIMEOUT_MS, options: GENERIC_PLANS };
  const own = { ...options, entities: [], migrations: [], poolSize: CONNECTIONS, extra: pipelined };
  return new DataSource(own as typeof options).initialize();
}

/**
 * PostgreSQL answers the commit of a transaction in which a statement failed by undoing it, without an error.
 * @returns false when nothing was kept
 */
async function commit(client: ClientBase): Promise<boolean> {
  try {
    return (await client.query('commit')).command === 'COMMIT';
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    return false;
  }
}

/** Ends the connection, whatever state it is in. */
async function giveUp(runner: QueryRunner): Promise<void> {
  const client = (await runner.connect().catch(() => null)) as { end(): Promise<void> } | null;
  await client?.end().catch(() => undefined);
  await runner.release().catch(() => undefined);
}
