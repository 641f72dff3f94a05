import type { Readable } from 'node:stream';
import { BackupFailed } from '../../domain/backup-errors.js';
import type { Inventory } from '../../domain/inventory.js';
import type { ShippedSegment } from '../../domain/pitr/recovery-window.js';
import type { DatabaseTarget } from '../programs/database-target.js';
import type { WalStream } from '../ports/wal-repository.js';

export const DATABASE_LOGS = Symbol('the logs that databases write of every change');

/** The log has content that the panel cannot play back, now or later. */
export class UnreadableLog extends BackupFailed {}

/** A segment of the log that is ready to be shipped. */
export interface FinishedSegment extends ShippedSegment {
  /** Length of the uncompressed content. */
  readonly bytes: number;
}

/** The part of the log that can be shipped now. */
export interface FinishedLog {
  /** Oldest first, without a gap. */
  readonly segments: readonly FinishedSegment[];
  /** Name that the next segment must have. */
  readonly next: string;
  /** Everything committed up to this moment is in the segments. */
  readonly reachesTo: Date;
  /** See `WalStream`. */
  readonly quietXid: string | null;
  /** Lets the server remove the segments, after they have been shipped. */
  forget(signal: AbortSignal): Promise<void>;
}

/** The segment that should follow no longer exists. */
export interface LogGap {
  /** The problem, as a sentence. */
  readonly gap: string;
}

/** The state of a running server's log. */
export interface LogLook {
  /** The server's clock. */
  readonly now: Date;
  /** True when it is certain that nothing has been committed since the last shipment. */
  readonly isQuiet: boolean;
  /** Ends the current segment if necessary, so that it can be shipped. */
  finish(signal: AbortSignal): Promise<FinishedLog | LogGap>;
}

/** A base backup that is being taken. */
export interface LogCopy {
  /** Name of the first segment of the log that the copy needs. */
  readonly firstSegment: string;
  readonly data: Readable;
  /** The earliest moment that can be restored from the copy. To be called after `data` has ended. */
  endedAt(signal: AbortSignal): Promise<Date>;
  /** Must always be called, also after a failure. */
  close(): Promise<void>;
}

/** A segment in the backup store. */
export interface KeptSegment extends ShippedSegment {
  readonly open: () => Promise<Readable>;
}

/** Everything that is needed to restore a database to a moment. */
export interface StoredHistory {
  readonly firstSegment: string;
  readonly copy: () => Promise<Readable>;
  /** Oldest first, without a gap, up to a segment that contains everything committed before the moment. */
  readonly segments: readonly KeptSegment[];
  readonly at: Date;
  /** `at`, or the last mark in the log when nothing was committed between the mark and `at`. */
  readonly until: Date;
}

/** Point-in-time recovery of one kind of database: shipping of its log, and recovery from it. */
export interface DatabaseLog {
  /** Slugs of the templates that this log is for. */
  readonly templates: readonly string[];
  /** Format of a base backup, used as its file name extension. */
  readonly copyFormat: 'tar' | 'sql';
  /** Resolution of the times in the log. */
  readonly resolutionMs: number;
  /** Makes the server keep its log until it is shipped. */
  switchOn(target: DatabaseTarget, signal: AbortSignal): Promise<void>;
  switchOff(target: DatabaseTarget, signal: AbortSignal): Promise<void>;
  look(target: DatabaseTarget, stream: WalStream, signal: AbortSignal): Promise<LogLook>;
  read(target: DatabaseTarget, segment: FinishedSegment, signal: AbortSignal): Promise<Readable>;
  /** Takes a base backup. @param last name of the newest known segment; null when there is none */
  copy(target: DatabaseTarget, stream: WalStream, last: string | null, signal: AbortSignal): Promise<LogCopy>;
  /** How full the disk is that the log shares with the data; 0 when the server removes old log by itself. */
  diskUsedPercent(target: DatabaseTarget, signal: AbortSignal): Promise<number>;
  /** Replaces the data of a server. @throws BackupFailed; the server's data are undefined then */
  recover(target: DatabaseTarget, history: StoredHistory, signal: AbortSignal): Promise<void>;
  /** Counts all objects and reads all rows of a server. @throws BackupFailed when something cannot be read */
  inspect(target: DatabaseTarget, signal: AbortSignal): Promise<Inventory>;
}
