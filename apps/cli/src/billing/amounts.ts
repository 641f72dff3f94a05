import type { Money } from '#kernel/money/money';

type Totals = readonly Money[];

/** Amounts for people: `2,033.74 EUR`, `1,200 JPY`, one currency per line. `--json` has integer cents. */
export function amounts(totals: Totals): string {
  return totals.map(({ cents, currency }) => written(cents, currency)).join('\n');
}

/** The differences, one currency per line: `+0.51 EUR`, or `new` if there was nothing before. */
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
  return `${cents > 0 ? '+' : ''}${written(cents, currency)}`;
}

/** Formats the digits without dividing, so that no amount is rounded. */
export function written(cents: number, currency: string): string {
  const digits = fractionDigits(currency);
  const text = String(Math.abs(cents)).padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits).replace(/\B(?=(\d{3})+$)/g, ',');
  const fraction = digits === 0 ? '' : `.${text.slice(-digits)}`;
  return `${cents < 0 ? '-' : ''}${whole}${fraction} ${currency}`;
}

/** Decimal places differ by currency: none for yen, three for dinars. */
function fractionDigits(currency: string): number {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return format.resolvedOptions().maximumFractionDigits ?? 2;
}
