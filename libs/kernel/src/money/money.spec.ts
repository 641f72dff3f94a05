import { Money } from './money.js';

describe('Money', () => {
  it('adds amounts of one currency', () => {
    expect(Money.of(199, 'EUR').plus(Money.of(1, 'EUR')).equals(Money.of(200, 'EUR'))).toBe(true);
  });

  it('never adds two currencies', () => {
    expect(() => Money.of(1, 'EUR').plus(Money.of(1, 'USD'))).toThrow('cannot add USD to EUR');
  });

  it.each([0.5, NaN, Infinity, Number.MAX_SAFE_INTEGER + 1])('refuses %d cents', (cents) => {
    expect(() => Money.of(cents, 'EUR')).toThrow(RangeError);
  });

  it.each(['eur', 'EU', 'EURO', '', 'EUR\n'])('refuses the currency %j', (currency) => {
    expect(() => Money.of(1, currency)).toThrow(RangeError);
  });

  it('refuses a sum that is no longer exact', () => {
    expect(() => Money.of(Number.MAX_SAFE_INTEGER, 'EUR').plus(Money.of(1, 'EUR'))).toThrow(RangeError);
  });

  it('is equal only with the same amount and currency', () => {
    expect(Money.of(1, 'EUR').equals(Money.of(2, 'EUR'))).toBe(false);
    expect(Money.of(1, 'EUR').equals(Money.of(1, 'USD'))).toBe(false);
  });
});
