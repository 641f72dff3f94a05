import { Readable } from 'node:stream';
import { pack, type Pack } from 'tar-stream';
import { BackupFailed } from '../../../domain/backup-errors.js';
import type { Inventory } from '../../../domain/inventory.js';
import { missingSegment } from '../../../domain/pitr/recovery-window.js';
import { segmentAfter, SEGMENT_BYTES } from '../../../domain/pitr/wal-segment.js';
import type { DatabaseTarget } from '../../programs/database-target.js';
import type { WalStream } from '../../ports/wal-repository.js';
import type {
  DatabaseLog,
  FinishedLog,
  FinishedSegment,
  KeptSegment,
  LogCopy,
  LogGap,
  LogLook,
  StoredHistory,
} from '../database-log.js';
import type { LogState, PostgresqlLog } from './postgresql-log.js';
import type { PostgresqlRecovery } from './postgresql-recovery.js';

const CHANGED = 'A part of the archived log is not what was put into the store.';

/** Log of PostgreSQL: ships the WAL segments that the server archives, and plays them onto a copy of its files. */
export class ArchivedLog implements DatabaseLog {
  readonly templates = ['postgresql'];
  readonly copyFormat = 'tar';
  readonly resolutionMs = 1;

  constructor(
    private readonly log: PostgresqlLog,
    private readonly recovery: PostgresqlRecovery,
  ) {}

  switchOn(target: DatabaseTarget, signal: AbortSignal): Promise<void> {
    return this.log.switchOn(target, signal);
  }

  switchOff(target: DatabaseTarget, signal: AbortSignal): Promise<void> {
    return this.log.switchOff(target, signal);
  }

  diskUsedPercent(target: DatabaseTarget, signal: AbortSignal): Promise<number> {
    return this.log.diskUsedPercent(target, signal);
  }

  async look(target: DatabaseTarget, stream: WalStream, signal: AbortSignal): Promise<LogLook> {
    const state = await this.log.state(target, signal);
    return {
      now: state.now,
      isQuiet: state.isIdle && stream.quietXid === String(state.nextXid),
      finish: (until) => this.finish(target, stream, state, until),
    };
  }

  read(target: DatabaseTarget, { name }: FinishedSegment, signal: AbortSignal): Promise<Readable> {
    return this.log.read(target, name, signal);
  }

  async copy(target: DatabaseTarget, _stream: WalStream, _last: string | null, signal: AbortSignal): Promise<LogCopy> {
    // The copy starts after this switch of segments, so it needs the log from the next segment on.
    const firstSegment = segmentAfter((await this.log.mark(target, signal)).segment);
    return {
      firstSegment,
      data: await this.log.copy(target, signal),
      endedAt: async (until) => {
        // Recovery needs a mark after the end of the copy. This commit makes the next look write one.
        await this.log.mark(target, until);
        return new Date((await this.log.state(target, until)).now.getTime() + 1);
      },
      close: () => Promise.resolve(),
    };
  }

  async recover(target: DatabaseTarget, { copy, segments, until }: StoredHistory, signal: AbortSignal): Promise<void> {
    await this.recovery.recover(target, { files: await copy(), log: () => logOf(segments), until }, signal);
  }

  inspect(target: DatabaseTarget, signal: AbortSignal): Promise<Inventory> {
    return this.log.inspect(target, signal);
  }

  private async finish(
    target: DatabaseTarget,
    stream: WalStream,
    before: LogState,
    signal: AbortSignal,
  ): Promise<FinishedLog | LogGap> {
    const mark = await this.log.mark(target, signal);
    const names = await this.log.untilArchived(target, mark.segment, signal);
    const from = stream.nextSegment ?? mark.segment;
    const segments = names
      .filter((name) => name >= from && name <= mark.segment)
      .map((name) => ({
        name,
        next: segmentAfter(name),
        markedAt: name === mark.segment ? mark.at : null,
        bytes: SEGMENT_BYTES,
      }));
    const missing = missingSegment(from, segments);
    if (missing !== null) return { gap: `The archived log lacks the segment ${missing}.` };
    const shipped = names.filter((name) => name <= mark.segment);
    return {
      segments,
      next: segmentAfter(mark.segment),
      reachesTo: mark.at,
      // If the mark is the only transaction since, the next look finds exactly this id when nothing else has happened.
      quietXid: before.isIdle ? String(before.nextXid + 1n) : null,
      forget: (until) => this.log.forget(target, shipped, until),
    };
  }
}

function logOf(segments: readonly KeptSegment[]): Readable {
  const archive = pack();
  fill(archive, segments).then(
    () => archive.finalize(),
    (error: unknown) => archive.destroy(error as Error),
  );
  return Readable.from(archive as AsyncIterable<Buffer>, { objectMode: false });
}

async function fill(archive: Pack, segments: readonly KeptSegment[]): Promise<void> {
  for (const { name, open } of segments) {
    const content = Buffer.concat((await (await open()).toArray()) as Buffer[]);
    if (content.length !== SEGMENT_BYTES) throw new BackupFailed(CHANGED);
    await new Promise<void>((resolve, reject) => {
      archive.entry({ name, mode: 0o600 }, content, (error) => (error ? reject(error) : resolve()));
    });
  }
}
