import type { Uuid } from '#kernel/crypto/uuid';
import type { ImportLine, LicenseLine, LineProblem, LineType } from '../import-line.js';

export type StagedLine = (Exclude<ImportLine, LicenseLine> | Omit<LicenseLine, 'key'>) & {
  /** Of the record that the line becomes; null for an event. */
  readonly id: Uuid | null;
  /** Of a license whose key the license service must still be told; base64. */
  readonly sealedKey?: string;
};

export interface LineCount {
  readonly type: LineType;
  /** Lines that an earlier import brought already. */
  readonly skipped: number;
  readonly fresh: number;
}

/** Problems of one kind: the first in full, and how many there are. */
export interface ProblemSample {
  readonly problems: readonly LineProblem[];
  readonly total: number;
}

/**
 * The lines of one file, put where they can be looked up by name, in memory that does not grow with the file. Lives as
 * long as the caller's transaction. The methods are called in the order in which they stand.
 */
export abstract class ImportStaging {
  /**
   * Makes room, keeps other imports out until the transaction ends, and lifts the time limits of the transaction.
   * @throws Conflict `import-running` while another one does
   */
  abstract begin(): Promise<void>;
  abstract add(lines: readonly StagedLine[]): Promise<void>;
  /** Names that lines have which could not be read: whoever refers to them is not to blame. */
  abstract addUnreadable(names: readonly { readonly type: LineType; readonly ref: string }[]): Promise<void>;
  /** Finds the lines that were imported before, and everything that is named twice. */
  abstract identify(): Promise<ProblemSample[]>;
  /** Gives every reference the id of what it names. */
  abstract resolve(): Promise<void>;
  /** Keeps what the file refers to from being deleted, ended or filled by others until the transaction ends. */
  abstract hold(): Promise<void>;
  /** Finds references that name nothing, and partners that are their own ancestors. */
  abstract check(): Promise<ProblemSample[]>;
  abstract counts(): Promise<LineCount[]>;
  /** Remembers the fresh lines for imports to come. */
  abstract remember(at: Date): Promise<void>;
}
