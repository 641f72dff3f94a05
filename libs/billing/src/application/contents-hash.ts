import type { Money } from '#kernel/money/money';
import { Sha256 } from '#kernel/crypto/sha256';
import type { BillingContract } from '../domain/contracts/contract.js';
import type { StatementSink } from '../domain/statements/statement-calculator.js';
import type { StatementLine, StatementPart } from '../domain/statements/statement-line.js';

/**
 * A hash of everything stored for a statement, including names and ledger events, which FiguresHash leaves out. Used to
 * tell whether the stored statement is still current. It is not public, so its text may change.
 */
export class ContentsHash implements StatementSink {
  readonly #hash = new Sha256();

  constructor(contracts: readonly BillingContract[]) {
    for (const { state } of contracts) {
      this.#hash.update(`${state.id} ${state.validFrom.toString()} ${state.validTo?.toString() ?? ''}\n`);
    }
  }

  part({ licenseId, days, amountCents, eventIds, keyMasked }: StatementPart): void {
    this.#hash.update(`${licenseId} ${days} ${amountCents} ${eventIds.join(',')} ${keyMasked}\n`);
  }

  line(line: StatementLine): void {
    this.#hash.update(`${JSON.stringify(line)}\n`);
  }

  /** Call it once. */
  finish(totals: readonly Money[]): string {
    return this.#hash.update(JSON.stringify(totals)).hex();
  }
}
