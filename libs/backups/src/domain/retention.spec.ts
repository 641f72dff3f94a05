import fc from 'fast-check';
import type { Uuid } from '#kernel/crypto/uuid';
import { expiries, type Retained, UNSCHEDULED_DAYS } from './retention.js';

const DAY_MS = 24 * 3_600_000;
const RULES = { keepDaily: 3, keepWeekly: 2, keepMonthly: 2 };

const at = (text: string, given: Partial<Retained> = {}): Retained => ({
  id: text as Uuid,
  trigger: 'schedule',
  createdAt: new Date(text),
  isVerified: true,
  ...given,
});
const until = (backups: readonly Retained[], rules = RULES, exists = false) =>
  Object.fromEntries([...expiries(backups, rules, exists)].map(([id, end]) => [id, end?.toISOString() ?? null]));

describe('retention', () => {
  it('keeps the newest backup of a day, a week and a month for as long as the policy says', () => {
    // Sunday 31 May, Monday 1 June (the first of a week and of a month), Tuesday 2 June 2026.
    const kept = until([at('2026-05-31T02:00:00Z'), at('2026-06-01T02:00:00Z'), at('2026-06-02T02:00:00Z')]);
    expect(kept).toEqual({
      // The newest of May: until the end of June.
      '2026-05-31T02:00:00Z': '2026-07-01T00:00:00.000Z',
      // The newest of its day alone: three days with its own.
      '2026-06-01T02:00:00Z': '2026-06-04T00:00:00.000Z',
      // The newest of its week and of its month.
      '2026-06-02T02:00:00Z': '2026-08-01T00:00:00.000Z',
    });
  });

  it('expires the earlier of two scheduled backups of one day at once', () => {
    const kept = until([at('2026-06-02T02:00:00Z'), at('2026-06-02T14:00:00Z')]);
    expect(kept['2026-06-02T02:00:00Z']).toBe('2026-06-02T02:00:00.000Z');
  });

  it('keeps manual backups regardless of the scheduled ones', () => {
    const manual = at('2026-06-02T02:00:00Z', { trigger: 'manual' });
    const kept = until([manual, at('2026-06-02T14:00:00Z')], { keepDaily: 0, keepWeekly: 0, keepMonthly: 0 });
    expect(kept['2026-06-02T02:00:00Z']).toBe(
      new Date(manual.createdAt.getTime() + UNSCHEDULED_DAYS * DAY_MS).toISOString(),
    );
  });

  it('keeps the newest verified backup without end while the service exists', () => {
    const broken = at('2026-06-03T02:00:00Z', { isVerified: false });
    const kept = until([at('2026-06-01T02:00:00Z'), at('2026-06-02T02:00:00Z'), broken], RULES, true);
    expect(kept['2026-06-02T02:00:00Z']).toBeNull();
    expect(Object.values(kept).filter((end) => end === null)).toHaveLength(1);
  });

  const backup = fc
    .record({
      id: fc.uuid(),
      trigger: fc.constantFrom('schedule' as const, 'manual' as const, 'pre-restore' as const),
      hours: fc.integer({ min: 0, max: 24 * 400 }),
      isVerified: fc.boolean(),
    })
    .map(({ id, hours, ...rest }) => ({ ...rest, id: id as Uuid, createdAt: new Date(1.75e12 + hours * 3_600_000) }));
  const history = fc.uniqueArray(backup, { selector: ({ id }) => id, maxLength: 60 });
  const rules = fc.record({
    keepDaily: fc.integer({ min: 0, max: 30 }),
    keepWeekly: fc.integer({ min: 0, max: 10 }),
    keepMonthly: fc.integer({ min: 0, max: 12 }),
  });

  it('always keeps one backup without end: the newest verified one if there is any', () => {
    fc.assert(
      fc.property(
        history.filter(({ length }) => length > 0),
        rules,
        (backups, given) => {
          const ends = expiries(backups, given, true);
          const endless = backups.filter(({ id }) => ends.get(id) === null);
          const newestFirst = [...backups].sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
          const verified = newestFirst.find(({ isVerified }) => isVerified) ?? newestFirst[0]!;
          expect(endless).toHaveLength(1);
          expect(endless[0]!.createdAt).toEqual(verified.createdAt);
        },
      ),
    );
  });

  it('gives every backup an expiry that is not before its creation, regardless of the order of the input', () => {
    fc.assert(
      fc.property(history, rules, fc.boolean(), (backups, given, exists) => {
        const ends = expiries(backups, given, exists);
        for (const { id, createdAt } of backups) {
          const end = ends.get(id);
          expect(end === null || end!.getTime() >= createdAt.getTime()).toBe(true);
        }
        expect(new Map([...expiries([...backups].reverse(), given, exists)].sort())).toEqual(new Map([...ends].sort()));
      }),
    );
  });

  it('keeps no more scheduled backups than the numbers of days, weeks and months allow', () => {
    fc.assert(
      fc.property(history, rules, (backups, given) => {
        const now = new Date(1.75e12 + 24 * 400 * 3_600_000);
        const ends = expiries(backups, given, false);
        const kept = backups.filter(({ id, trigger }) => trigger === 'schedule' && ends.get(id)! > now);
        expect(kept.length).toBeLessThanOrEqual(given.keepDaily + given.keepWeekly + given.keepMonthly);
      }),
    );
  });
});
