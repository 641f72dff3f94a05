import type { Readable } from 'node:stream';
import type { BackupKind } from '../../domain/backup-state.js';
import type { Inventory } from '../../domain/inventory.js';
import type { DatabaseTarget } from '../programs/database-target.js';

/** In larger databases rows are only counted, because digests of all contents would take too long. */
export const CONTENTS_MAX_BYTES = 512 * 2 ** 20;

/** A dump that is being written. */
export interface RunningDump {
  /** Ends only when the dump is complete; fails otherwise. */
  readonly data: Readable;
  /** What the dump contains. To be called after `data` has ended. */
  details(): Promise<DumpDetails>;
  /** Releases locks, sessions and files in the database's container. Must always be called, also after a failure. */
  close(): Promise<void>;
}

export interface DumpDetails {
  readonly inventory: Inventory;
  readonly databaseVersion: string;
  readonly notes: readonly string[];
}

/** Backs up and restores one kind of database, with the tools of its own image. */
export interface DatabaseMethod {
  readonly kind: BackupKind;
  /** Slugs of the templates that this method is for. */
  readonly templates: readonly string[];
  /** Arguments of a trial server, in addition to the recipe of the template. */
  readonly trialArguments: readonly string[];
  /** Whether all data must fit into memory. */
  readonly livesInMemory: boolean;
  /**
   * Left out when the restore itself fails for versions that do not fit.
   * @returns why a server of version `server` cannot read a dump of version `dumped`; null when it can
   */
  readonly refusesVersion?: (dumped: string, server: string) => string | null;
  /**
   * Left out when every backup can replace the data of its own service.
   * @returns why this backup cannot; null when it can
   */
  readonly refusesSame?: (dumped: Inventory) => string | null;
  dump(target: DatabaseTarget, signal: AbortSignal): Promise<RunningDump>;
  /**
   * Replaces the data of the database with those of a dump. The data are exchanged in one step at the end, so that they
   * are unchanged when anything fails before.
   * @returns the inventory of the restored data, which equals `expected`
   * @throws BackupFailed; the error of `data`
   */
  restore(target: DatabaseTarget, data: Readable, expected: Inventory, signal: AbortSignal): Promise<Inventory>;
  /** Undoes or completes a restore whose worker died, and removes what it left behind. */
  tidy(target: DatabaseTarget, signal: AbortSignal): Promise<void>;
}
