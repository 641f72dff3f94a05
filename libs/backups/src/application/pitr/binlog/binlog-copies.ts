import { pipeline } from 'node:stream';
import { BackupFailed } from '../../../domain/backup-errors.js';
import { nameOfPlace } from '../../../domain/pitr/binlog/place.js';
import { DumpWatch } from '../../methods/mysql/dump-watch.js';
import { clientOf, dumpOfSchemas } from '../../methods/mysql/mysql-tools.js';
import type { DatabasePrograms } from '../../programs/database-programs.js';
import type { DatabaseTarget } from '../../programs/database-target.js';
import { programFailure } from '../../programs/program-failure.js';
import type { LogCopy } from '../database-log.js';
import type { BinlogServer } from './binlog-server.js';
import type { BinlogTools } from './binlog-tools.js';

const LOCK_WAIT_SECONDS = 10;
const SECOND_MS = 1000;

/** Dumps all schemas of a server in one transaction. The dump contains its position in the binary log. */
export class BinlogCopies {
  constructor(
    private readonly programs: DatabasePrograms,
    private readonly server: BinlogServer,
    private readonly tools: BinlogTools,
  ) {}

  /**
   * Definitions of tables cannot change meanwhile: the dump would contain the later definition, or fail.
   * @param history see `BinlogPlace`
   */
  async copy(target: DatabaseTarget, history: number, signal: AbortSignal): Promise<LogCopy> {
    const command = clientOf(this.tools, '--unbuffered');
    const session = await this.programs.session(target, command, (word) => `select '${word}';`, signal);
    try {
      const hold = `set session lock_wait_timeout = ${LOCK_WAIT_SECONDS}; set session wait_timeout = 604800;
        ${this.tools.holdDefinitions}`;
      await session.ask(hold, (end) => programFailure(this.tools.client, end, target.secrets));
      const firstSegment = await this.begin(target, history, signal);
      const schemas = await this.server.schemas(target, signal);
      let position: string | null = null;
      const watch = new DumpWatch(this.tools.position, (found) => (position = found));
      watch.on('error', () => undefined);
      const dump = dumpOfSchemas(this.tools, schemas, await this.server.leftOut(target, schemas, signal));
      const data = pipeline(await this.programs.output(target, dump, signal), watch, () => undefined);
      return {
        firstSegment,
        data,
        endedAt: async (until) => {
          if (position === null) throw new BackupFailed('The copy does not contain its position in the binary log.');
          return nextSecond(await this.server.now(target, until));
        },
        close: () => session.close(),
      };
    } catch (error) {
      await session.close();
      throw error;
    }
  }

  /**
   * Starts a new file of the binary log, so that the copy needs the log from the beginning of a file.
   * @returns its name
   */
  private async begin(target: DatabaseTarget, history: number, signal: AbortSignal): Promise<string> {
    if (!this.tools.holdsOtherEngines) {
      const table = await this.server.tableWithoutTransactions(target, signal);
      if (table !== null)
        throw new BackupFailed(`The table ${table} cannot be copied consistently: its engine must be InnoDB.`);
    }
    const [setting] = (await this.server.run(target, this.tools.unreadable, signal)).split('\n').filter(Boolean);
    if (setting !== undefined)
      throw new BackupFailed(`The log after a copy could not be played back: the setting ${setting} must be off.`);
    await this.server.run(target, 'flush binary logs;', signal);
    const { files, folder } = await this.server.status(target, signal);
    const current = files.at(-1);
    if (!current) throw new BackupFailed('The database has no binary log.');
    const made = await this.server.made(target, folder, [current], signal);
    return nameOfPlace({ history, file: current.number, made: made.get(current.number) ?? '', offset: 0 });
  }
}

/** The log contains whole seconds only: a moment in the same second as the copy could be before or after it. */
function nextSecond(time: Date): Date {
  return new Date((Math.floor(time.getTime() / SECOND_MS) + 1) * SECOND_MS);
}
