import type { Uuid } from '#kernel/crypto/uuid';
import type { ImportLine, LicenseLine, LineProblem, LineType } from '../import-line.js';

export type StagedLine = (Exclude<ImportLine, LicenseLine> | Omit<LicenseLine, 'key'>) & {
  /** Id of the record that the line becomes; null for an event. */
  readonly id: Uuid | null;
  /** Key that must still be sent to the license service; base64. */
  readonly sealedKey?: string;
};

export interface LineCount {
  readonly type: LineType;
  /** Lines that an earlier import already contained. */
  readonly skipped: number;
  readonly fresh: number;
}

/** Problems of one kind: the first ones in full, and the total. */
export interface ProblemSample {
  readonly problems: readonly LineProblem[];
  readonly total: number;
}

/**
 * The lines of one file in staging tables, so that they can be looked up by name in constant memory. They exist as long
 * as the caller's transaction. Call the methods in the order below.
 */
export abstract class ImportStaging {
  /**
   * Creates the staging tables, locks out other imports until the transaction ends, and removes the transaction's time
   * limits.
   * @throws Conflict `import-running` if another import is running
   */
  abstract begin(): Promise<void>;
  abstract add(lines: readonly StagedLine[]): Promise<void>;
  /** Names of lines that could not be read, so that references to them are not reported. */
  abstract addUnreadable(names: readonly { readonly type: LineType; readonly ref: string }[]): Promise<void>;
  /** Finds lines that were imported before, and duplicate names. */
  abstract identify(): Promise<ProblemSample[]>;
  /** Resolves every reference to an id. */
  abstract resolve(): Promise<void>;
  /** Locks the existing customers and contracts that the file refers to until the transaction ends. */
  abstract lockReferences(): Promise<void>;
  /** Finds dangling references, and partners that are their own ancestors. */
  abstract check(): Promise<ProblemSample[]>;
  abstract counts(): Promise<LineCount[]>;
  /** Remembers the new lines for later imports. */
  abstract remember(at: Date): Promise<void>;
}
