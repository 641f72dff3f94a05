import { instantBound, parseInstant, parseMoment } from './instant.js';

describe('instants', () => {
  it.each([
    ['2026-05-01T00:00:00Z', '2026-05-01T00:00:00.000Z'],
    ['2026-05-01t01:30:00+02:00', '2026-04-30T23:30:00.000Z'],
    ['2026-05-01T10:00Z', '2026-05-01T10:00:00.000Z'],
    ['2026-05-01T10:00:00.123456Z', '2026-05-01T10:00:00.123Z'],
    ['2024-02-29T00:00:00-11:00', '2024-02-29T11:00:00.000Z'],
  ])('reads %s', (text, iso) => {
    expect(parseInstant(text)?.toISOString()).toBe(iso);
  });

  it.each([
    '',
    'now',
    'infinity',
    '2026-05-01',
    '2026-05-01T10:00:00',
    '2026-05-01 10:00:00Z',
    '2026-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-05-01T24:00:01Z',
    '2026-05-01T24:00:00Z',
    '2026-05-01T24:00Z',
    '2026-05-01T10:60:00Z',
    '0000-01-01T00:00:00Z',
    '+012026-05-01T00:00:00Z',
  ])('returns null for "%s"', (text) => {
    expect(parseInstant(text)).toBeNull();
  });

  it('reads a date as its first or last instant, and a timestamp as itself', () => {
    expect(instantBound('2026-05-01', 'from')?.toISOString()).toBe('2026-05-01T00:00:00.000Z');
    expect(instantBound('2026-05-01', 'to')?.toISOString()).toBe('2026-05-01T23:59:59.999Z');
    expect(instantBound('2026-05-01T05:00:00Z', 'to')?.toISOString()).toBe('2026-05-01T05:00:00.000Z');
    expect(instantBound('2026-02-30', 'to')).toBeNull();
  });

  it.each([
    ['2026-05-01T05:00:00.1239Z', 'from', '2026-05-01T05:00:00.124Z'],
    ['2026-05-01T05:00:00.123000001Z', 'from', '2026-05-01T05:00:00.124Z'],
    ['2026-05-01T05:00:00.999999Z', 'from', '2026-05-01T05:00:01.000Z'],
    ['2026-05-01T05:00:00.1230Z', 'from', '2026-05-01T05:00:00.123Z'],
    ['2026-05-01T05:00:00.12Z', 'from', '2026-05-01T05:00:00.120Z'],
    ['2026-05-01T05:00:00.1239Z', 'to', '2026-05-01T05:00:00.123Z'],
    ['9999-12-31T23:59:59.9999Z', 'from', '9999-12-31T23:59:59.999Z'],
  ] as const)('rounds %s, which is finer than a millisecond, to the inside of the range (%s)', (text, end, iso) => {
    expect(instantBound(text, end)?.toISOString()).toBe(iso);
  });

  it('reads a date as its first instant, and a timestamp to the millisecond', () => {
    expect(parseMoment('2026-05-01')?.toISOString()).toBe('2026-05-01T00:00:00.000Z');
    expect(parseMoment('2026-05-01T05:00:00.1239Z')?.toISOString()).toBe('2026-05-01T05:00:00.123Z');
    expect(parseMoment('2026-02-30')).toBeNull();
  });
});
