import { Injectable } from '@nestjs/common';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { WAL_ARCHIVE } from '#libs/templates';
import { BackupFailed } from '../../../domain/backup-errors.js';
import { type Inventory, joined } from '../../../domain/inventory.js';
import { isSegment } from '../../../domain/pitr/wal-segment.js';
import { inventorySql, parseInventory } from '../../methods/postgresql/inventory-sql.js';
import { login, psql } from '../../methods/postgresql/psql.js';
import { DatabasePrograms } from '../../programs/database-programs.js';
import type { DatabaseTarget } from '../../programs/database-target.js';

const ARCHIVE_WAIT_MS = 30_000;
const ARCHIVE_POLL_MS = 100;
const APPLICATION = 'panel-archive';

export interface LogState {
  /** The server's clock. */
  readonly now: Date;
  /** The id of the next transaction. */
  readonly nextXid: bigint;
  /** True when no transaction with an id is open that could still commit. */
  readonly isIdle: boolean;
}

export interface LogMark {
  /** Everything committed up to this moment is in the log before the mark. */
  readonly at: Date;
  /** The segment that contains the mark. */
  readonly segment: string;
}

/** Controls and reads the log archive of a PostgreSQL server in its container. */
@Injectable()
export class PostgresqlLog {
  constructor(private readonly programs: DatabasePrograms) {}

  /** Makes the server keep every finished segment, and removes the segments kept before. */
  async switchOn(target: DatabaseTarget, signal: AbortSignal): Promise<void> {
    const folder = `mkdir -p ${WAL_ARCHIVE} && chown postgres:postgres ${WAL_ARCHIVE} && chmod 700 ${WAL_ARCHIVE}`;
    const script = `${folder} && cd ${WAL_ARCHIVE} && rm -f .enabled && rm -f -- * && : > .enabled`;
    await this.shell(target, script, signal);
  }

  async switchOff(target: DatabaseTarget, signal: AbortSignal): Promise<void> {
    await this.shell(target, `cd ${WAL_ARCHIVE} 2>/dev/null || exit 0; rm -f .enabled; rm -f -- *`, signal);
  }

  async state(target: DatabaseTarget, signal: AbortSignal): Promise<LogState> {
    const [line = ''] = await this.ask(target, `select ${EPOCH_MS}, pg_current_snapshot()`, signal);
    const [now = '', snapshot = ''] = line.split('|');
    const [xmin = '', xmax = ''] = snapshot.split(':');
    return { now: new Date(Number(now)), nextXid: BigInt(xmax), isIdle: xmin === xmax };
  }

  /**
   * Writes a commit into the log and ends its segment. With such a commit, a recovery to an earlier moment knows that
   * it has reached its target. There are two calls because a switch in the same transaction would come before the
   * commit.
   */
  async mark(target: DatabaseTarget, signal: AbortSignal): Promise<LogMark> {
    const [line = ''] = await this.ask(
      target,
      `select ${EPOCH_MS} as at, pg_walfile_name(pg_logical_emit_message(true, 'panel', 'mark'))`,
      signal,
    );
    const [at = ''] = line.split('|');
    const [segment = ''] = await this.ask(target, 'select pg_walfile_name(pg_switch_wal() - 1)', signal);
    if (!isSegment(segment)) throw new BackupFailed('The database does not report the name of its log segment.');
    // A commit in the same millisecond could be before or after the mark.
    return { at: new Date(Number(at) - 1), segment };
  }

  /** Names of the finished segments that wait to be shipped, oldest first. */
  async waiting(target: DatabaseTarget, signal: AbortSignal): Promise<string[]> {
    const listed = await this.shell(target, `cd ${WAL_ARCHIVE} && ls -1`, signal);
    return listed.split('\n').filter(isSegment).sort();
  }

  /** Waits until a segment is archived. @returns like `waiting` @throws BackupFailed when it takes too long */
  async untilArchived(target: DatabaseTarget, segment: string, signal: AbortSignal): Promise<string[]> {
    for (let waited = 0; ; waited += ARCHIVE_POLL_MS) {
      const names = await this.waiting(target, signal);
      if (names.some((name) => name >= segment)) return names;
      if (waited >= ARCHIVE_WAIT_MS) throw new BackupFailed('The database does not archive its log.');
      await sleep(ARCHIVE_POLL_MS, undefined, { signal });
    }
  }

  read(target: DatabaseTarget, segment: string, signal: AbortSignal): Promise<Readable> {
    const command = { command: ['cat', `${WAL_ARCHIVE}/${segment}`], environment: {} };
    return this.programs.output(target, command, signal);
  }

  /** Removes segments that have been shipped, and the history files of the server, which nobody reads. */
  async forget(target: DatabaseTarget, segments: readonly string[], signal: AbortSignal): Promise<void> {
    await this.shell(target, `cd ${WAL_ARCHIVE} && rm -f -- *.history *.backup ${segments.join(' ')}`, signal);
  }

  /** How full the disk is that the data and the waiting log share. */
  async diskUsedPercent(target: DatabaseTarget, signal: AbortSignal): Promise<number> {
    const line = await this.shell(target, `df -P ${WAL_ARCHIVE} | tail -n 1`, signal);
    return Number(/(\d+)%/.exec(line)?.[1] ?? 0);
  }

  /** All files of the server as a tar, including the log that is needed to make them consistent. */
  copy(target: DatabaseTarget, signal: AbortSignal): Promise<Readable> {
    const options = ['-D', '-', '-F', 't', '-X', 'fetch', '-c', 'fast', '-w'];
    const command = ['pg_basebackup', '-h', '127.0.0.1', '-U', target.input.user, ...options];
    return this.programs.output(target, { command, environment: login(APPLICATION) }, signal);
  }

  /** Counts the objects and reads the rows of each database. */
  async inspect(target: DatabaseTarget, signal: AbortSignal): Promise<Inventory> {
    const listed = await this.ask(
      target,
      `select to_json(datname) from pg_database where datallowconn and not datistemplate order by datname`,
      signal,
    );
    const found: Inventory[] = [];
    for (const database of listed.map((line) => String(JSON.parse(line)))) {
      const client = psql(target, database, APPLICATION);
      const printed = await this.programs.text(target, client, signal, `begin;\n${inventorySql(false)}\ncommit;`);
      const lines = printed.split('\n');
      const { objects, rows } = parseInventory(lines, false);
      const named = Object.entries(rows ?? {}).map(([table, count]) => [`${database}.${table}`, count] as const);
      found.push({ objects, rows: Object.fromEntries(named) });
    }
    return joined(found);
  }

  private shell(target: DatabaseTarget, script: string, signal: AbortSignal): Promise<string> {
    return this.programs.text(target, { command: ['sh', '-c', script], environment: {} }, signal);
  }

  private async ask(target: DatabaseTarget, sql: string, signal: AbortSignal): Promise<string[]> {
    const { command, environment } = psql(target, target.input.database, APPLICATION);
    const asked = { command: [...command, '-c', sql], environment };
    return (await this.programs.text(target, asked, signal)).split('\n').filter(Boolean);
  }
}

const EPOCH_MS = 'floor(extract(epoch from clock_timestamp()) * 1000)::bigint';
