import { pipeline, Readable } from 'node:stream';
import { BackupFailed } from '../../../domain/backup-errors.js';
import { numberOfFile } from '../../../domain/pitr/binlog/place.js';
import { DumpWatch } from '../../methods/mysql/dump-watch.js';
import { DATA, loaderOf, MAX_PACKET_BYTES, quoted } from '../../methods/mysql/mysql-tools.js';
import type { DatabasePrograms } from '../../programs/database-programs.js';
import type { DatabaseTarget } from '../../programs/database-target.js';
import { whileThereIsRoom } from '../../programs/disk-room.js';
import type { StoredHistory } from '../database-log.js';
import type { BinlogServer } from './binlog-server.js';
import { type BinlogTools, replayOf } from './binlog-tools.js';
import { endBefore, type LogPosition, replayed } from './replay.js';

const DONE = 'panel-done';
/** The restored data are not logged again: the new server starts a history of its own when archiving is switched on. */
const UNLOGGED = '--init-command=set sql_log_bin = 0';

/** Loads a dump into a server that is not yet in use, and plays the binary log onto it. */
export class BinlogRecovery {
  constructor(
    private readonly programs: DatabasePrograms,
    private readonly server: BinlogServer,
    private readonly tools: BinlogTools,
  ) {}

  async recover(target: DatabaseTarget, history: StoredHistory, signal: AbortSignal): Promise<void> {
    await this.prepare(target, signal);
    await whileThereIsRoom(this.programs, target, DATA, signal, async (within) => {
      const start = await this.load(target, await history.copy(), within);
      const end = await endBefore(history.segments, start, history.at);
      const log = Readable.from(replayed(history.segments, start, end), { objectMode: false });
      const client = loaderOf(this.tools, UNLOGGED);
      await this.programs.feed(target, replayOf(this.tools, client, DONE), log, within);
    });
    await this.finish(target, signal);
  }

  /** Removes all data, including what a worker that died has loaded, and ends the client that it may have left. */
  private async prepare(target: DatabaseTarget, signal: AbortSignal): Promise<void> {
    await this.server.endOthers(target, signal);
    const schemas = await this.server.schemas(target, signal);
    const script = [
      // Scheduled events that are restored with the data must not start to change them.
      'set global event_scheduler = off;',
      `set global max_allowed_packet = ${MAX_PACKET_BYTES};`,
      'set sql_log_bin = 0; set foreign_key_checks = 0;',
      ...schemas.map((name) => `drop database ${quoted(name)};`),
    ];
    await this.server.run(target, script.join('\n'), signal);
  }

  /** @returns the position of the dump in the log */
  private async load(target: DatabaseTarget, dump: Readable, signal: AbortSignal): Promise<LogPosition> {
    let position: string | null = null;
    const watch = new DumpWatch(this.tools.position, (found) => (position = found));
    const data = pipeline(dump, watch, () => undefined);
    await this.programs.feed(target, loaderOf(this.tools, UNLOGGED), data, signal);
    const [file = '', offset = ''] = ((position ?? '') as string).split(':');
    const start = { file: numberOfFile(file), offset: Number(offset) };
    if (!Number.isSafeInteger(start.file) || !Number.isSafeInteger(start.offset) || offset === '')
      throw new BackupFailed('The copy does not contain its position in the binary log.');
    return start;
  }

  /** The schema of the service must exist even if the data do not contain it, because its users log in to it. */
  private async finish(target: DatabaseTarget, signal: AbortSignal): Promise<void> {
    const script = [
      `set sql_log_bin = 0; create database if not exists ${quoted(target.input.database)};`,
      'set global max_allowed_packet = default;',
      `set global event_scheduler = ${this.tools.eventScheduler};`,
    ];
    await this.server.run(target, script.join('\n'), signal);
  }
}
