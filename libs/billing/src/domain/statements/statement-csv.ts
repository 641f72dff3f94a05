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
 * The CSV of one statement, row by row, by contract id: the licenses of a metered contract by license id, or one row
 * for any other contract, with empty license columns. The amount column adds up to the totals. A superseded statement
 * keeps the same CSV, so its bytes never change.
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

  /** Empty for a metered contract, whose rows are those of its licenses. */
  line(line: StatementLine): string {
    if (chargingOf(line.model) === 'by-license-day') return '';
    const { quantity, unitPriceCents, amountCents, pack } = line;
    const counts = csvRecord([quantity, unitPriceCents, amountCents, pack?.drawn ?? null, pack?.remaining ?? null]);
    return `${this.#start(line)},,,,${counts}`;
  }

  /** The first cells, which all rows of a contract share. Built once, because a contract may have a million rows. */
  #start(line: LineTerms): string {
    if (line !== this.#terms) {
      this.#terms = line;
      this.#contract = `${this.#statement},${line.contractId},${line.model},${line.currency}`;
    }
    return this.#contract;
  }
}
