import { csvCell, csvRecord } from '#kernel/text/csv';
import { chargingOf } from '../contracts/pricing-model.js';
import type { StatementState } from './statement.js';
import type { LineTerms, StatementLine, StatementPart } from './statement-line.js';

const COLUMNS = [
  'statementId',
  'partnerId',
  'periodStart',
  'periodEnd',
  'revision',
  'contractId',
  'model',
  'currency',
  'licenseId',
  'keyMasked',
  'days',
  'quantity',
  'unitPriceCents',
  'amountCents',
  'packDrawn',
  'packRemaining',
] as const;

export type CsvStatement = Pick<StatementState, 'id' | 'partnerId' | 'period' | 'revision'>;

/**
 * The CSV of one statement, row by row, by contract id: the licenses of a metered contract by license id, or the one
 * row of any other contract, whose license columns are empty. The amount column sums to the totals. Nothing in it
 * changes when the statement is superseded, so its bytes never do.
 */
export class StatementCsv {
  readonly #statement: string;
  #terms: LineTerms | null = null;
  #contract = '';

  constructor({ id, partnerId, period, revision }: CsvStatement) {
    this.#statement = `${id},${partnerId},${period.firstDay.toString()},${period.lastDay.toString()},${revision}`;
  }

  header(): string {
    return csvRecord(COLUMNS);
  }

  part(part: Pick<StatementPart, 'licenseId' | 'keyMasked' | 'days' | 'amountCents'>, line: LineTerms): string {
    const license = `${part.licenseId},${csvCell(part.keyMasked)},${part.days},1`;
    return `${this.#start(line)},${license},${line.unitPriceCents},${part.amountCents},,\r\n`;
  }

  /** Empty for a metered contract: its licenses have the rows. */
  line(line: StatementLine): string {
    if (chargingOf(line.model) === 'by-license-day') return '';
    const { quantity, unitPriceCents, amountCents, pack } = line;
    const counts = csvRecord([quantity, unitPriceCents, amountCents, pack?.drawn ?? null, pack?.remaining ?? null]);
    return `${this.#start(line)},,,,${counts}`;
  }

  /** The cells that all rows of a contract share; a million of them may follow each other. */
  #start(line: LineTerms): string {
    if (line !== this.#terms) {
      this.#terms = line;
      this.#contract = `${this.#statement},${line.contractId},${line.model},${line.currency}`;
    }
    return this.#contract;
  }
}
