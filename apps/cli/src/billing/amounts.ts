import type { Money } from '#kernel/money/money';

type Totals = readonly Money[];

/** `451 EUR`, one currency a line; cents, because not every currency has a hundred of them. */
export function amounts(totals: Totals): string {
  return totals.map(({ cents, currency }) => `${grouped(cents)} ${currency}`).join('\n');
}

/** What became more or less, one currency a line: `+51 EUR`; `new` when there was nothing before. */
export function changes(totals: Totals, before: Totals | null): string {
  if (before === null) return 'new';
  const currencies = [...new Set([...totals, ...before].map(({ currency }) => currency))].sort();
  return currencies
    .map((currency) => signed(centsOf(totals, currency) - centsOf(before, currency), currency))
    .join('\n');
}

/** The totals of many statements, by currency code. */
export function sum(all: readonly Totals[]): Money[] {
  const sums = new Map<string, Money>();
  for (const money of all.flat()) sums.set(money.currency, sums.get(money.currency)?.plus(money) ?? money);
  return [...sums.values()].sort((a, b) => (a.currency < b.currency ? -1 : 1));
}

function centsOf(totals: Totals, currency: string): number {
  return totals.find((money) => money.currency === currency)?.cents ?? 0;
}

function signed(cents: number, currency: string): string {
  return `${cents > 0 ? '+' : ''}${grouped(cents)} ${currency}`;
}

function grouped(cents: number): string {
  return String(cents).replace(/\B(?=(\d{3})+$)/g, ' ');
}
