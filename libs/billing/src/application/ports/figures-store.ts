import type { BillingContract } from '../../domain/contracts/contract.js';
import type { StatementSink } from '../../domain/statements/statement-calculator.js';
import type { StatementLine, StatementPart } from '../../domain/statements/statement-line.js';

/** A stored line with its position on the statement. */
export interface StoredLine extends StatementLine {
  /** By contract id, from 0. */
  readonly position: number;
  /** First and last valid day of the contract at the time, `YYYY-MM-DD`. */
  readonly validFrom: string;
  readonly validTo: string | null;
}

/** A part without the values that it shares with its line. */
export type StoredPart = Omit<StatementPart, 'contractId'>;

/** The columns of a part that the files of a statement show. */
export type PrintedPart = Omit<StoredPart, 'eventIds'>;

/** Receives figures as they are computed; `flush` stores them. */
export interface FiguresWriter extends StatementSink {
  /** The number that identifies the figures. */
  readonly number: number;
  /** Stores what has been received if the buffer is full or `last` is true. */
  flush(last?: boolean): Promise<void>;
}

/** Stores lines and parts of statements, which may not fit into memory. */
export abstract class FiguresStore {
  /**
   * Starts new figures, within the open transaction.
   * @param contracts all that may have a line
   */
  abstract begin(contracts: readonly BillingContract[]): Promise<FiguresWriter>;
  abstract remove(figures: number): Promise<void>;
  /** By position. */
  abstract lines(figures: number): Promise<StoredLine[]>;
  /** The parts of one line by license id, page by page; no connection is held between the pages. */
  abstract printedParts(figures: number, position: number): AsyncIterable<readonly PrintedPart[]>;
  /** Same as `printedParts`, with the events behind the days of each part. */
  abstract storedParts(figures: number, position: number): AsyncIterable<readonly StoredPart[]>;
}
