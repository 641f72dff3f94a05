import type { Readable } from 'node:stream';
import type { ShippedSegment } from '../../domain/pitr/recovery-window.js';
import type { DatabaseTarget } from '../programs/database-target.js';
import type { WalStream } from '../ports/wal-repository.js';

export const DATABASE_LOGS = Symbol('the logs that databases write of every change');

/** A piece of the log that is ready to be shipped. */
export interface FinishedSegment extends ShippedSegment {
  /** The length of its content. */
  readonly bytes: number;
}

/** What of the log can be shipped now. */
export interface FinishedLog {
  /** In their order, without a gap. */
  readonly segments: readonly FinishedSegment[];
  /** Where the following piece must begin. */
  readonly next: string;
  /** Everything that was committed until then is in the segments. */
  readonly reachesTo: Date;
  /** As in `WalStream`. */
  readonly quietXid: string | null;
  /** Lets go of what has been shipped. */
  forget(signal: AbortSignal): Promise<void>;
}

/** What was to follow is not there any more. */
export interface LogGap {
  /** As a sentence. */
  readonly gap: string;
}

/** A look at the log of a running server. */
export interface LogLook {
  /** The server's clock. */
  readonly now: Date;
  /** Nothing can have been committed since the last shipment. */
  readonly isQuiet: boolean;
  finish(signal: AbortSignal): Promise<FinishedLog | LogGap>;
}

/** A copy of all data that is being made. */
export interface LogCopy {
  /** The log is needed from here on. */
  readonly firstSegment: string;
  readonly data: Readable;
  /** The copy is a state of the database from then on. Asked for once `data` has ended. */
  endedAt(signal: AbortSignal): Promise<Date>;
  /** However it went. */
  close(): Promise<void>;
}

/** A segment in the store. */
export interface KeptSegment extends ShippedSegment {
  readonly open: () => Promise<Readable>;
}

/** What brings a database back to a moment. */
export interface StoredHistory {
  readonly firstSegment: string;
  readonly copy: () => Promise<Readable>;
  /** In their order, without a gap: until one that holds everything until the moment. */
  readonly segments: readonly KeptSegment[];
  readonly at: Date;
  /** `at`, or the last mark in the log when nothing was committed between it and then. */
  readonly until: Date;
}

/** How one kind of database writes down every change, and is brought back by it. */
export interface DatabaseLog {
  /** The templates that it serves. */
  readonly templates: readonly string[];
  /** What a copy is, as the end of a file's name. */
  readonly copyFormat: 'tar' | 'sql';
  /** How exactly the log tells the time of a change. */
  readonly resolutionMs: number;
  /** From now on the server keeps its log until it is shipped. */
  switchOn(target: DatabaseTarget, signal: AbortSignal): Promise<void>;
  switchOff(target: DatabaseTarget, signal: AbortSignal): Promise<void>;
  look(target: DatabaseTarget, stream: WalStream, signal: AbortSignal): Promise<LogLook>;
  read(target: DatabaseTarget, segment: FinishedSegment, signal: AbortSignal): Promise<Readable>;
  /** @param last the name of the newest segment that is known; null when there is none */
  copy(target: DatabaseTarget, stream: WalStream, last: string | null, signal: AbortSignal): Promise<LogCopy>;
  /** How full the disk is that the log shares with the data; 0 where the server itself removes old log. */
  diskUsedPercent(target: DatabaseTarget, signal: AbortSignal): Promise<number>;
  /** Replaces the data of a server. @throws BackupFailed; the data may be anything then */
  recover(target: DatabaseTarget, history: StoredHistory, signal: AbortSignal): Promise<void>;
}
