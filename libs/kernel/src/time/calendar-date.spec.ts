import * as fc from 'fast-check';
import { BillingDate } from './calendar-date.js';

const anyDay = fc.integer({ min: -719_162, max: 2_932_896 }).map((day) => BillingDate.fromEpochDay(day));

describe('BillingDate', () => {
  it('is the UTC day of an instant, in whatever zone it was written', () => {
    expect(BillingDate.of(new Date('2026-05-01T01:30:00+02:00')).toString()).toBe('2026-04-30');
    expect(BillingDate.of(new Date('2026-04-30T23:59:59.999Z')).toString()).toBe('2026-04-30');
    expect(BillingDate.of(new Date('2026-05-01T00:00:00Z')).toString()).toBe('2026-05-01');
  });

  it('counts days from 1970-01-01, also backwards', () => {
    expect(BillingDate.parse('1970-01-01')?.epochDay).toBe(0);
    expect(BillingDate.parse('1969-12-31')?.epochDay).toBe(-1);
    expect(BillingDate.of(new Date('1969-12-31T12:00:00Z')).epochDay).toBe(-1);
  });

  it.each([
    '2026-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-04-31',
    '0000-12-31',
    '2026-1-01',
    ' 2026-01-01',
    '2026-01-01T00:00:00Z',
    '2026-01-01\n',
    '',
  ])('does not read %j', (text) => {
    expect(BillingDate.parse(text)).toBeNull();
  });

  it('reads leap days and the ends of its range', () => {
    expect(BillingDate.parse('2028-02-29')?.toString()).toBe('2028-02-29');
    expect(BillingDate.parse('0001-01-01')?.epochDay).toBe(-719_162);
    expect(BillingDate.parse('9999-12-31')?.epochDay).toBe(2_932_896);
  });

  it('refuses days outside the years 0001 to 9999 and fractions of days', () => {
    expect(() => BillingDate.fromEpochDay(-719_163)).toThrow(RangeError);
    expect(() => BillingDate.fromEpochDay(2_932_897)).toThrow(RangeError);
    expect(() => BillingDate.fromEpochDay(0.5)).toThrow(RangeError);
    expect(() => BillingDate.of(new Date(NaN))).toThrow(RangeError);
    expect(() => BillingDate.parse('9999-12-31')?.plusDays(1)).toThrow(RangeError);
  });

  it('reads back what it prints', () => {
    fc.assert(fc.property(anyDay, (date) => BillingDate.parse(date.toString())?.equals(date) === true));
  });

  it('orders days like their texts', () => {
    fc.assert(fc.property(anyDay, anyDay, (a, b) => a.isBefore(b) === a.toString() < b.toString()));
  });

  it('adds and subtracts days across month ends', () => {
    expect(BillingDate.parse('2028-02-28')?.plusDays(2).toString()).toBe('2028-03-01');
    expect(BillingDate.parse('2026-01-01')?.plusDays(-1).toString()).toBe('2025-12-31');
  });

  it('prints as text in JSON and starts at midnight UTC', () => {
    const date = BillingDate.parse('2026-06-11')!;
    expect(JSON.stringify({ date })).toBe('{"date":"2026-06-11"}');
    expect(date.startsAt().toISOString()).toBe('2026-06-11T00:00:00.000Z');
    expect(date.equals(date.plusDays(1))).toBe(false);
  });
});
