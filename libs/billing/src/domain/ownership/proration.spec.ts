import * as fc from 'fast-check';
import { addCents, exactAmount, MAX_UNIT_PRICE_CENTS, prorate } from './proration.js';

const anyMonth = fc.integer({ min: 28, max: 31 });
const anyPrice = fc.oneof(
  fc.integer({ min: 0, max: 5000 }),
  fc.integer({ min: 0, max: MAX_UNIT_PRICE_CENTS }),
  fc.integer({ min: MAX_UNIT_PRICE_CENTS - 100, max: MAX_UNIT_PRICE_CENTS }),
);

describe('prorate', () => {
  it.each([
    // price, days, days in month: the exact amount
    [1000, 10, 30, 333], // 333.33
    [1000, 20, 30, 667], // 666.67
    [1999, 14, 28, 1000], // 999.5
    [901, 15, 30, 451], // 450.5
    [333, 15, 30, 167], // 166.5
    [1000, 1, 31, 32], // 32.26
    [1000, 29, 29, 1000],
    [0, 30, 30, 0],
    [1000, 0, 30, 0],
  ])('%i cents for %i of %i days are %i', (price, days, daysInMonth, cents) => {
    expect(prorate(price, days, daysInMonth)).toBe(cents);
  });

  it('is exactly (2 * P * n + D) div (2 * D), up to the maximum price', () => {
    fc.assert(
      fc.property(anyPrice, anyMonth, fc.nat(31), (price, daysInMonth, someDays) => {
        const days = Math.min(someDays, daysInMonth);
        const [p, n, d] = [BigInt(price), BigInt(days), BigInt(daysInMonth)];
        expect(BigInt(prorate(price, days, daysInMonth))).toBe((2n * p * n + d) / (2n * d));
      }),
      { numRuns: 2000 },
    );
  });

  it('is the price for the whole month', () => {
    expect(prorate(MAX_UNIT_PRICE_CENTS, 31, 31)).toBe(MAX_UNIT_PRICE_CENTS);
    expect(prorate(1, 28, 28)).toBe(1);
  });

  it.each([
    [-1, 1, 30, 'a unit price must be an integer from 0 to 1000000000000, not -1'],
    [0.5, 1, 30, 'a unit price must be an integer from 0 to 1000000000000, not 0.5'],
    [MAX_UNIT_PRICE_CENTS + 1, 1, 30, 'a unit price must be an integer from 0 to 1000000000000, not 1000000000001'],
    [1000, -1, 30, 'billable days must be an integer from 0 to 30, not -1'],
    [1000, 31, 30, 'billable days must be an integer from 0 to 30, not 31'],
    [1000, 1.5, 30, 'billable days must be an integer from 0 to 30, not 1.5'],
    [1000, 1, 27, 'the days of a month must be an integer from 28 to 31, not 27'],
    [1000, 1, 32, 'the days of a month must be an integer from 28 to 31, not 32'],
    [1000, 1, NaN, 'the days of a month must be an integer from 28 to 31, not NaN'],
  ])('refuses %d cents for %d of %d days', (price, days, daysInMonth, message) => {
    expect(() => prorate(price, days, daysInMonth)).toThrow(new RangeError(message));
  });
});

describe('exactAmount', () => {
  it.each([
    [1000, 10, 30, '1000/3'],
    [901, 15, 30, '901/2'],
    [1000, 30, 30, '1000/1'],
    [9999, 22, 31, '219978/31'],
    [0, 15, 30, '0/1'],
    [1000, 0, 30, '0/1'],
  ])('%i cents for %i of %i days are %s', (price, days, daysInMonth, exact) => {
    expect(exactAmount(price, days, daysInMonth)).toBe(exact);
  });

  it('stays exact beyond the safe integers, for the line of a million licenses', () => {
    // 10^12 * 31,000,001 / 30 = 31,000,001 * 10^12 / 30, reduced by 10
    expect(exactAmount(MAX_UNIT_PRICE_CENTS, 31_000_001, 30)).toBe('3100000100000000000/3');
  });
});

describe('addCents', () => {
  it('adds up to the last safe integer, and throws above', () => {
    expect(addCents(Number.MAX_SAFE_INTEGER - 1, 1)).toBe(Number.MAX_SAFE_INTEGER);
    expect(() => addCents(Number.MAX_SAFE_INTEGER, 1)).toThrow(
      new RangeError('the amount exceeds the safe integers: 9007199254740991 + 1'),
    );
  });
});
