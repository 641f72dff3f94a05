import type { BillingPeriod } from '#kernel/time/billing-period';
import type { Money } from '#kernel/money/money';
import { Sha256 } from '#kernel/crypto/sha256';
import type { Uuid } from '#kernel/crypto/uuid';
import type { StatementSink } from './statement-calculator.js';
import type { StatementLine, StatementPart } from './statement-line.js';

/**
 * The SHA-256 of a statement's figures, which a review refers to. Two statements have the same hash if all their days,
 * quantities, prices and amounts are the same. Printed names and the time of computation are left out.
 *
 *
 * The hashed text has one record per line, with fields separated by tabs: `figures 1 <partner> <month>`, then for each
 * contract by id its parts by license id, `part <contract> <license> <days> <cents>`, and its line, `line <contract>
 * <model> <currency> <quantity> <unit price> <cents>`, followed for a pack by size, drawn, drawn in the period and
 * remaining; at last `total <currency> <cents>` by currency.
 */
export class FiguresHash implements StatementSink {
  readonly #hash = new Sha256();

  constructor(partnerId: Uuid, period: BillingPeriod) {
    this.#hash.update(`figures\t1\t${partnerId}\t${period.toString()}\n`);
  }

  part({ contractId, licenseId, days, amountCents }: StatementPart): void {
    this.#hash.update(`part\t${contractId}\t${licenseId}\t${days}\t${amountCents}\n`);
  }

  line({ contractId, model, currency, quantity, unitPriceCents, amountCents, pack }: StatementLine): void {
    const counts = pack && `\t${pack.size}\t${pack.drawn}\t${pack.drawnInPeriod}\t${pack.remaining}`;
    this.#hash.update(
      `line\t${contractId}\t${model}\t${currency}\t${quantity}\t${unitPriceCents}\t${amountCents}${counts ?? ''}\n`,
    );
  }

  /** Ends the figures. Call it once. */
  finish(totals: readonly Money[]): string {
    for (const { currency, cents } of totals) this.#hash.update(`total\t${currency}\t${cents}\n`);
    return this.#hash.hex();
  }
}
