import type { Story } from '../hand-calculated.js';
import { LONG_AGO, metered } from './terms.js';

/** Comments next to the numbers show the arithmetic. */
export const METERED_STORIES: readonly Story[] = [
  {
    title: 'a leap February has 29 days and no half cents',
    month: '2024-02',
    contracts: { cA: metered('A', 1000) },
    licenses: {
      lastDay: { on: 'cA', issuedAt: '2024-02-29' },
      wholeMonth: { on: 'cA', issuedAt: '2023-02-28', terminatedAt: '2024-02-29' },
      oneDay: { on: 'cA', issuedAt: '2024-02-28', terminatedAt: '2024-02-28T23:59:59Z' },
      before: { on: 'cA', issuedAt: '2020-02-29', terminatedAt: '2024-01-31' },
      after: { on: 'cA', issuedAt: '2024-03-01' },
    },
    expected: {
      // 1000 / 29 = 34.48; 31 days in all.
      A: {
        totals: { EUR: 1068 },
        lines: { cA: [3, 1068, '31000/29', { lastDay: [1, 34], wholeMonth: [29, 1000], oneDay: [1, 34] }] },
      },
    },
  },
  {
    title: 'half cents of 28 days go up, less than half is nothing but stays on the statement',
    month: '2025-02',
    contracts: { c1: metered('A', 1), c2: metered('A', 2), c3: metered('A', 1999) },
    licenses: {
      half: { on: 'c1', issuedAt: '2025-02-15' },
      less: { on: 'c1', issuedAt: '2025-02-16' },
      quarter: { on: 'c2', issuedAt: '2025-02-22' },
      threeQuarters: { on: 'c2', issuedAt: '2025-02-08' },
      big: { on: 'c3', issuedAt: '2025-02-15' },
    },
    expected: {
      A: {
        totals: { EUR: 1004 },
        lines: {
          // 14/28 = 0.5 and 13/28 = 0.46
          c1: [2, 1, '27/28', { half: [14, 1], less: [13, 0] }],
          // 2 * 7/28 = 0.5 and 2 * 21/28 = 1.5
          c2: [2, 3, '2/1', { quarter: [7, 1], threeQuarters: [21, 2] }],
          // 1999 * 14/28 = 999.5
          c3: [1, 1000, '1999/2', { big: [14, 1000] }],
        },
      },
    },
  },
  {
    title: 'half cents of 30 days are rounded for each license, not for the line',
    month: '2025-04',
    contracts: { cA: metered('A', 5) },
    licenses: {
      d03: { on: 'cA', issuedAt: '2025-04-28' },
      d06: { on: 'cA', issuedAt: '2025-04-25' },
      d09: { on: 'cA', issuedAt: '2025-04-22' },
      d15: { on: 'cA', issuedAt: '2025-04-16' },
      d21: { on: 'cA', issuedAt: '2025-04-10' },
    },
    expected: {
      // 5 * n/30: 0.5, 1, 1.5, 2.5, 3.5. The line at once would be 5 * 54/30 = 9.
      A: {
        totals: { EUR: 11 },
        lines: { cA: [5, 11, '9/1', { d03: [3, 1], d06: [6, 1], d09: [9, 2], d15: [15, 3], d21: [21, 4] }] },
      },
    },
  },
  {
    title: 'both ends of a month are counted, by the UTC day of each instant',
    month: '2025-03',
    contracts: { cA: metered('A', 3100) },
    licenses: {
      lastInstant: { on: 'cA', issuedAt: '2025-03-31T23:59:59.999Z' },
      aprilInBerlin: { on: 'cA', issuedAt: '2025-04-01T01:30:00+02:00' },
      marchAtSea: { on: 'cA', issuedAt: '2025-03-31T23:30:00-02:00' },
      endsAtMidnight: { on: 'cA', issuedAt: LONG_AGO, terminatedAt: '2025-03-01T00:00:00.000Z' },
      endedBefore: { on: 'cA', issuedAt: LONG_AGO, terminatedAt: '2025-02-28T23:59:59.999Z' },
      oneSecond: { on: 'cA', issuedAt: '2025-03-10T08:00:00Z', terminatedAt: '2025-03-10T08:00:01Z' },
      whole: { on: 'cA', issuedAt: '2025-03-01', terminatedAt: '2025-03-31' },
    },
    expected: {
      A: {
        totals: { EUR: 3500 },
        lines: {
          cA: [
            5,
            3500,
            '3500/1',
            {
              lastInstant: [1, 100],
              aprilInBerlin: [1, 100],
              endsAtMidnight: [1, 100],
              oneSecond: [1, 100],
              whole: [31, 3100],
            },
          ],
        },
      },
    },
  },
  {
    title: 'transfers on the first, the last, the issue and the termination day',
    month: '2025-06',
    contracts: { cA: metered('A', 3000), cB: metered('B', 3000) },
    licenses: {
      onFirst: { on: 'cA', issuedAt: LONG_AGO, moves: [['2025-06-01', 'cB']] },
      onLast: { on: 'cA', issuedAt: LONG_AGO, moves: [['2025-06-30', 'cB']] },
      next: { on: 'cA', issuedAt: LONG_AGO, moves: [['2025-07-01', 'cB']] },
      onIssue: { on: 'cA', issuedAt: '2025-06-15', moves: [['2025-06-15', 'cB']] },
      onEnd: { on: 'cA', issuedAt: LONG_AGO, terminatedAt: '2025-06-20', moves: [['2025-06-20', 'cB']] },
    },
    expected: {
      A: {
        totals: { EUR: 7800 },
        lines: { cA: [3, 7800, '7800/1', { onLast: [29, 2900], next: [30, 3000], onEnd: [19, 1900] }] },
      },
      B: {
        totals: { EUR: 4800 },
        lines: {
          cB: [4, 4800, '4800/1', { onFirst: [30, 3000], onLast: [1, 100], onIssue: [16, 1600], onEnd: [1, 100] }],
        },
      },
    },
  },
  {
    title: 'of several transfers with one effective day the last recorded wins',
    month: '2025-07',
    contracts: { cA: metered('A', 3100), cB: metered('B', 3100), cC: metered('C', 3100), cD: metered('D', 3100) },
    licenses: {
      through: {
        on: 'cA',
        issuedAt: '2025-07-01',
        moves: [
          ['2025-07-11', 'cB'],
          ['2025-07-11', 'cC'],
        ],
      },
      andBack: {
        on: 'cA',
        issuedAt: '2025-07-01',
        moves: [
          ['2025-07-11', 'cD'],
          ['2025-07-11', 'cA'],
        ],
      },
      fromIssue: {
        on: 'cA',
        issuedAt: '2025-07-05',
        moves: [
          ['2025-07-05', 'cB'],
          ['2025-07-05', 'cC'],
          ['2025-07-20', 'cB'],
        ],
      },
    },
    expected: {
      A: { totals: { EUR: 4100 }, lines: { cA: [2, 4100, '4100/1', { through: [10, 1000], andBack: [31, 3100] }] } },
      B: { totals: { EUR: 1200 }, lines: { cB: [1, 1200, '1200/1', { fromIssue: [12, 1200] }] } },
      C: { totals: { EUR: 3600 }, lines: { cC: [2, 3600, '3600/1', { through: [21, 2100], fromIssue: [15, 1500] }] } },
    },
  },
  {
    title: 'separate ownership spans are added before rounding, but not across two contracts of one partner',
    month: '2025-06',
    contracts: { cA: metered('A', 901), cA2: metered('A', 901), cB: metered('B', 901) },
    licenses: {
      comesBack: {
        on: 'cA',
        issuedAt: LONG_AGO,
        moves: [
          ['2025-06-05', 'cB'],
          ['2025-06-20', 'cA'],
        ],
      },
      renewed: { on: 'cA', issuedAt: LONG_AGO, moves: [['2025-06-16', 'cA2']] },
    },
    expected: {
      // 4 + 11 days: 450.5; 15 days each: 450.5 twice.
      A: {
        totals: { EUR: 1353 },
        lines: {
          cA: [2, 902, '901/1', { comesBack: [15, 451], renewed: [15, 451] }],
          cA2: [1, 451, '901/2', { renewed: [15, 451] }],
        },
      },
      B: { totals: { EUR: 451 }, lines: { cB: [1, 451, '901/2', { comesBack: [15, 451] }] } },
    },
  },
  {
    title: 'three partners over the turn of the year, each part rounded by itself',
    month: '2025-01',
    contracts: { cA: metered('A', 100), cB: metered('B', 100), cC: metered('C', 100) },
    licenses: {
      l: {
        on: 'cA',
        issuedAt: '2024-12-31',
        moves: [
          ['2025-01-11', 'cB'],
          ['2025-01-21', 'cC'],
        ],
      },
    },
    expected: {
      // 10, 10 and 11 of 31 days: 32.26, 32.26, 35.48. Their sum is 99.
      A: { totals: { EUR: 32 }, lines: { cA: [1, 32, '1000/31', { l: [10, 32] }] } },
      B: { totals: { EUR: 32 }, lines: { cB: [1, 32, '1000/31', { l: [10, 32] }] } },
      C: { totals: { EUR: 35 }, lines: { cC: [1, 35, '1100/31', { l: [11, 35] }] } },
    },
  },
];
