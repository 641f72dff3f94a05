import { Money } from '#kernel/money/money';

/** One running total per currency. A currency whose lines are all 0 is included, with a total of 0. */
export class CurrencyTotals {
  readonly #totals = new Map<string, Money>();

  /** @throws RangeError if the total exceeds the safe integers */
  add(currency: string, amountCents: number): void {
    const amount = Money.of(amountCents, currency);
    const total = this.#totals.get(currency);
    this.#totals.set(currency, total ? total.plus(amount) : amount);
  }

  /** By currency code. */
  inOrder(): Money[] {
    return [...this.#totals.values()].sort((a, b) => (a.currency < b.currency ? -1 : 1));
  }
}
