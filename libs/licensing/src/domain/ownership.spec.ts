import { BillingDate } from '#kernel/time/calendar-date';
import { assertEffectiveDay, effectiveDayOf } from './ownership.js';

const day = (text: string) => BillingDate.parse(text)!;

describe('effective day of a transfer', () => {
  const today = day('2026-05-10');

  it.each([
    [undefined, '2026-05-10'],
    ['2026-05-01', '2026-05-01'],
    ['2026-05-01T01:30:00+02:00', '2026-04-30'],
    ['2026-05-01T23:30:00-02:00', '2026-05-02'],
    ['2026-05-01T00:00:00Z', '2026-05-01'],
  ])('%s is the UTC day %s', (text, expected) => {
    expect(effectiveDayOf(text, today).toString()).toBe(expected);
  });

  it('is refused if it is not a date', () => {
    expect(() => effectiveDayOf('tomorrow', today)).toThrow('effectiveDate must be an RFC 3339 timestamp');
  });

  it.each([
    ['2026-05-11', 'effective-date-in-future'],
    ['2026-05-03', 'effective-date-before-issue'],
    ['2026-05-05', 'effective-date-before-last-transfer'],
  ])('%s is refused: %s', (text, slug) => {
    const license = { issuedOn: day('2026-05-04'), lastTransferOn: day('2026-05-06') };
    expect(() => assertEffectiveDay(day(text), license, today)).toThrow(expect.objectContaining({ slug }) as Error);
  });

  it.each(['2026-05-06', '2026-05-10'])('may be the day of the last transfer or today: %s', (text) => {
    const license = { issuedOn: day('2026-05-04'), lastTransferOn: day('2026-05-06') };
    expect(() => assertEffectiveDay(day(text), license, today)).not.toThrow();
  });
});
