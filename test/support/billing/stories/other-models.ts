import type { Story } from '../hand-calculated.js';
import { flat, LONG_AGO, metered } from './terms.js';

/** Comments next to the numbers show the arithmetic. */
export const OTHER_STORIES: readonly Story[] = [
  {
    title: 'suspension, expiry and changes of edition change no number; only termination stops',
    month: '2025-08',
    contracts: { cA: metered('A', 3100) },
    licenses: {
      suspended: {
        on: 'cA',
        issuedAt: LONG_AGO,
        state: 'suspended',
        events: [['license.suspended', '2025-07-01T00:00:00Z']],
      },
      expired: {
        on: 'cA',
        issuedAt: LONG_AGO,
        state: 'expired',
        events: [['license.expired', '2025-08-02T00:00:00Z']],
      },
      changed: {
        on: 'cA',
        issuedAt: LONG_AGO,
        events: [
          ['license.edition_changed', '2025-08-05T10:00:00Z'],
          ['license.edition_changed', '2025-08-05T11:00:00Z'],
          ['license.suspended', '2025-08-05T12:00:00Z'],
          ['license.resumed', '2025-08-20T12:00:00Z'],
          ['license.edition_changed', '2025-08-31T23:59:59Z'],
        ],
      },
      ended: {
        on: 'cA',
        issuedAt: LONG_AGO,
        terminatedAt: '2025-08-10',
        events: [['license.suspended', '2025-07-02T00:00:00Z']],
      },
    },
    expected: {
      A: {
        totals: { EUR: 10300 },
        lines: {
          cA: [
            4,
            10300,
            '10300/1',
            { suspended: [31, 3100], expired: [31, 3100], changed: [31, 3100], ended: [10, 1000] },
          ],
        },
      },
    },
  },
  {
    title: 'trials are counted and cost nothing until the day they are converted',
    month: '2025-09',
    contracts: {
      cT: { partner: 'A', model: 'trial', unitPriceCents: 1000, validTo: '2025-09-10' },
      cA: metered('A', 1000),
      cU: { partner: 'B', model: 'trial', unitPriceCents: 0, currency: 'USD' },
    },
    licenses: {
      converted: { on: 'cT', issuedAt: '2025-09-02', moves: [['2025-09-12', 'cA']] },
      sameDay: { on: 'cT', issuedAt: '2025-09-05', moves: [['2025-09-05', 'cA']] },
      expired: { on: 'cT', issuedAt: '2025-08-20', state: 'expired' },
      ended: { on: 'cT', issuedAt: '2025-08-20', terminatedAt: '2025-08-31' },
      onlyTrial: { on: 'cU', issuedAt: '2025-09-30', state: 'trial' },
    },
    expected: {
      // 19 days: 633.33; 26 days: 866.67.
      A: {
        totals: { EUR: 1500 },
        lines: { cT: [2, 0, '0/1'], cA: [2, 1500, '1500/1', { converted: [19, 633], sameDay: [26, 867] }] },
      },
      B: { totals: { USD: 0 }, lines: { cU: [1, 0, '0/1'] } },
    },
  },
  {
    title: 'a flat fee counts the days of its contract, whatever the licenses',
    month: '2025-10',
    contracts: {
      from10th: flat('A', 9999, '2025-10-10'),
      lastDay: { ...flat('A', 3100, '2025-10-31', '2025-10-31'), model: 'flat_capped' },
      firstDay: flat('A', 3100, '2024-01-01', '2025-10-01'),
      before: flat('A', 3100, '2025-09-01', '2025-09-30'),
      after: flat('A', 3100, '2025-11-01'),
    },
    licenses: { l: { on: 'from10th', issuedAt: '2025-10-12' }, m: { on: 'from10th', issuedAt: '2025-10-12' } },
    expected: {
      // 9999 * 22/31 = 7096.06
      A: {
        totals: { EUR: 7296 },
        lines: { from10th: [1, 7096, '219978/31'], lastDay: [1, 100, '100/1'], firstDay: [1, 100, '100/1'] },
      },
    },
  },
  {
    title: 'half cents of flat fees go up as well',
    month: '2025-11',
    contracts: { first: flat('A', 99, '2025-01-01', '2025-11-15'), second: flat('A', 101, '2025-11-16') },
    licenses: {},
    expected: { A: { totals: { EUR: 101 }, lines: { first: [1, 50, '99/2'], second: [1, 51, '101/2'] } } },
  },
  {
    title: 'the end of a contract ends its pack, and no license that lives on',
    month: '2025-12',
    contracts: {
      cA: { ...metered('A', 3100), validTo: '2025-06-30' },
      cN: { partner: 'A', model: 'not_for_resale', unitPriceCents: 700, validTo: '2025-06-30' },
      cK: { partner: 'A', model: 'prepaid_pack', unitPriceCents: 500, packSize: 5, validTo: '2025-11-30' },
    },
    licenses: {
      billed: { on: 'cA', issuedAt: '2025-02-01' },
      counted: { on: 'cN', issuedAt: '2025-02-01' },
      drawn: { on: 'cK', issuedAt: '2025-02-01' },
    },
    expected: {
      A: { totals: { EUR: 3100 }, lines: { cA: [1, 3100, '3100/1', { billed: [31, 3100] }], cN: [1, 0, '0/1'] } },
    },
  },
  {
    title: 'a slot of a pack is drawn once and never given back',
    month: '2025-04',
    contracts: {
      cK: { partner: 'A', model: 'prepaid_pack', unitPriceCents: 500, packSize: 4 },
      idle: { partner: 'A', model: 'prepaid_pack', unitPriceCents: 500, packSize: 7, validTo: '2025-04-01' },
      cA: metered('A', 3000),
      cB: metered('B', 3000),
    },
    licenses: {
      ended: { on: 'cK', issuedAt: '2025-01-05', terminatedAt: '2025-02-01' },
      movedAway: { on: 'cK', issuedAt: '2025-03-05', moves: [['2025-04-10', 'cB']] },
      visited: {
        on: 'cA',
        issuedAt: LONG_AGO,
        moves: [
          ['2025-04-16', 'cK'],
          ['2025-04-20', 'cA'],
        ],
      },
      noDay: {
        on: 'cA',
        issuedAt: LONG_AGO,
        moves: [
          ['2025-04-12', 'cK'],
          ['2025-04-12', 'cA'],
        ],
      },
      lastDay: { on: 'cK', issuedAt: '2025-04-30', terminatedAt: '2025-04-30' },
      next: { on: 'cK', issuedAt: '2025-05-01' },
    },
    expected: {
      A: {
        totals: { EUR: 5600 },
        lines: {
          // All licenses except `next` have drawn a slot. The pack has 4, so the import has overdrawn it.
          cK: [5, 0, '0/1', {}, { size: 4, drawn: 5, drawnInPeriod: 3, remaining: 0 }],
          idle: [0, 0, '0/1', {}, { size: 7, drawn: 0, drawnInPeriod: 0, remaining: 7 }],
          // 15 days before the pack and 11 after it.
          cA: [2, 5600, '5600/1', { visited: [26, 2600], noDay: [30, 3000] }],
        },
      },
      B: { totals: { EUR: 2100 }, lines: { cB: [1, 2100, '2100/1', { movedAway: [21, 2100] }] } },
    },
  },
  {
    title: 'every currency has a total of its own, 0 included, also one without cents',
    month: '2025-05',
    contracts: {
      cU: { ...flat('A', 1500, '2025-05-21'), currency: 'USD' },
      cJ: { ...metered('A', 31), currency: 'JPY' },
      cT: { partner: 'A', model: 'trial', unitPriceCents: 99 },
      cF: { ...metered('A', 0), currency: 'CHF' },
    },
    licenses: {
      yen: { on: 'cJ', issuedAt: '2025-05-31' },
      trial: { on: 'cT', issuedAt: '2025-05-01', state: 'trial' },
      free: { on: 'cF', issuedAt: LONG_AGO },
    },
    expected: {
      // 1500 * 11/31 = 532.26
      A: {
        totals: { CHF: 0, EUR: 0, JPY: 1, USD: 532 },
        lines: {
          cU: [1, 532, '16500/31'],
          cJ: [1, 1, '1/1', { yen: [1, 1] }],
          cT: [1, 0, '0/1'],
          cF: [1, 0, '0/1', { free: [31, 0] }],
        },
      },
    },
  },
  {
    title: 'the highest price is billed to the cent',
    month: '2025-06',
    contracts: { cA: metered('A', 1_000_000_000_000) },
    licenses: { whole: { on: 'cA', issuedAt: LONG_AGO }, from2nd: { on: 'cA', issuedAt: '2025-06-02' } },
    expected: {
      // 10^12 * 29/30 = 966 666 666 666.67
      A: {
        totals: { EUR: 1_966_666_666_667 },
        lines: { cA: [2, 1_966_666_666_667, '5900000000000/3', { whole: [30, 1e12], from2nd: [29, 966_666_666_667] }] },
      },
    },
  },
];

/** January 2026 before the transfers were recorded: A and B have one license each. */
export const LATE_TRANSFERS: Story = {
  title: 'late transfers',
  month: '2026-01',
  contracts: { cA: metered('A', 3100), cB: metered('B', 3100), cC: metered('C', 3100) },
  licenses: { l: { on: 'cA', issuedAt: LONG_AGO }, m: { on: 'cB', issuedAt: LONG_AGO } },
  expected: {},
};
