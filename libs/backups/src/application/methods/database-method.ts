import type { Readable } from 'node:stream';
import type { BackupKind } from '../../domain/backup-state.js';
import type { Inventory } from '../../domain/inventory.js';
import type { DatabaseTarget } from '../programs/database-target.js';

/** Of larger databases only rows are counted: a digest of all they hold would take longer than the dump may. */
export const CONTENTS_MAX_BYTES = 512 * 2 ** 20;

/** A dump that is being written. */
export interface RunningDump {
  /** Ends only when the dump is complete; fails otherwise. */
  readonly data: Readable;
  /** What the dump holds. Asked for once `data` has ended. */
  details(): Promise<DumpDetails>;
  /** Lets go of what the dump holds in the database, however it went. */
  close(): Promise<void>;
}

export interface DumpDetails {
  readonly inventory: Inventory;
  readonly databaseVersion: string;
  readonly notes: readonly string[];
}

/** How one kind of database is backed up and restored, by the tools of its own image. */
export interface DatabaseMethod {
  readonly kind: BackupKind;
  /** The templates that it serves. */
  readonly templates: readonly string[];
  /** What a copy for a trial is started with, besides the recipe of the template. */
  readonly trialArguments: readonly string[];
  /** The whole data must fit into memory. */
  readonly livesInMemory: boolean;
  /**
   * Left out where the restore itself tells what a server cannot read.
   * @returns why a server of one version cannot read the dump of another; null when it can
   */
  readonly refusesVersion?: (dumped: string, server: string) => string | null;
  /**
   * Left out where every backup can replace the data of its own service.
   * @returns why this one cannot; null when it can
   */
  readonly refusesSame?: (dumped: Inventory) => string | null;
  dump(target: DatabaseTarget, signal: AbortSignal): Promise<RunningDump>;
  /**
   * Replaces the data of the database by those of a dump, in one step at the end: when anything fails before, they stay
   * as they were.
   * @returns what is there now, which is what the dump says of itself
   * @throws BackupFailed; the error of `data`
   */
  restore(target: DatabaseTarget, data: Readable, expected: Inventory, signal: AbortSignal): Promise<Inventory>;
  /** Puts right what a restore left behind whose worker died. */
  tidy(target: DatabaseTarget, signal: AbortSignal): Promise<void>;
}
