/**
 * The maximum monthly price of a contract, in cents. A line with thousands of licenses at that price stays within the
 * safe integers.
 */
export const MAX_UNIT_PRICE_CENTS = 1_000_000_000_000;

/**
 * The part of a monthly price for `days` of a month, rounded once, halves up (billing rule 8): (2 * price * days +
 * daysInMonth) div (2 * daysInMonth), in integers.
 * @param unitPriceCents monthly price, 0 to MAX_UNIT_PRICE_CENTS
 * @param days billable days, first and last included, 0 to daysInMonth
 * @throws RangeError if a number is not an integer or out of range
 */
export function prorate(unitPriceCents: number, days: number, daysInMonth: number): number {
  assertWithin('a unit price', unitPriceCents, 0, MAX_UNIT_PRICE_CENTS);
  assertWithin('the days of a month', daysInMonth, 28, 31);
  assertWithin('billable days', days, 0, daysInMonth);
  // At most 2 * 10^12 * 31 + 31: far below 2^53, so that the remainder and the division below are exact.
  const numerator = 2 * unitPriceCents * days + daysInMonth;
  const denominator = 2 * daysInMonth;
  return (numerator - (numerator % denominator)) / denominator;
}

/**
 * The amount before rounding as a reduced fraction: `1000/3`, or `500/1` for a whole amount.
 * @param days may be the sum over many licenses
 */
export function exactAmount(unitPriceCents: number, days: number, daysInMonth: number): string {
  const numerator = BigInt(unitPriceCents) * BigInt(days);
  const denominator = BigInt(daysInMonth);
  const divisor = greatestCommonDivisor(numerator, denominator);
  return `${numerator / divisor}/${denominator / divisor}`;
}

/**
 * Adds cents to a running amount.
 * @throws RangeError if the sum exceeds the safe integers and would no longer be exact
 */
export function addCents(sum: number, cents: number): number {
  const result = sum + cents;
  if (!Number.isSafeInteger(result)) throw new RangeError(`the amount exceeds the safe integers: ${sum} + ${cents}`);
  return result;
}

function assertWithin(what: string, value: number, low: number, high: number): void {
  if (!Number.isInteger(value) || value < low || value > high) {
    throw new RangeError(`${what} must be an integer from ${low} to ${high}, not ${value}`);
  }
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : greatestCommonDivisor(b, a % b);
}
