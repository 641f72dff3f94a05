import type { BillingContract } from '../../domain/contracts/contract.js';
import type { StatementSink } from '../../domain/statements/statement-calculator.js';
import type { StatementLine, StatementPart } from '../../domain/statements/statement-line.js';

/** A line as stored, in its place on the statement. */
export interface StoredLine extends StatementLine {
  /** By contract id, from 0. */
  readonly position: number;
  /** First and last valid day of the contract as it was, `YYYY-MM-DD`. */
  readonly validFrom: string;
  readonly validTo: string | null;
}

/** A part without what it shares with its line. */
export type StoredPart = Omit<StatementPart, 'contractId'>;

/** What the files of a statement show of it. */
export type PrintedPart = Omit<StoredPart, 'eventIds'>;

/** Takes figures as they are computed; what it took is stored by `flush`. */
export interface FiguresWriter extends StatementSink {
  /** Under which the figures are found again. */
  readonly number: number;
  /** Stores what has come so far, when it is much or when `last` says so. */
  flush(last?: boolean): Promise<void>;
}

/** Where lines and parts of statements are kept, in amounts that do not fit into memory. */
export abstract class FiguresStore {
  /** New figures, within the open transaction. @param contracts all that may have a line */
  abstract begin(contracts: readonly BillingContract[]): Promise<FiguresWriter>;
  abstract remove(figures: number): Promise<void>;
  /** By position. */
  abstract lines(figures: number): Promise<StoredLine[]>;
  /** The parts of one line by license id, page by page; no connection is held between the pages. */
  abstract printedParts(figures: number, position: number): AsyncIterable<readonly PrintedPart[]>;
  /** As `printedParts`, with the events that made the days of each. */
  abstract storedParts(figures: number, position: number): AsyncIterable<readonly StoredPart[]>;
}
