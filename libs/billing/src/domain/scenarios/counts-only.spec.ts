import { aContract } from '../../testing/a-contract.js';
import { aLicense } from '../../testing/a-license.js';
import { bill } from '../../testing/bill.js';
import { idOf } from '../../testing/ids.js';

describe.each(['trial', 'not_for_resale'] as const)(
  'a %s contract costs nothing and counts licenses (rule 7)',
  (model) => {
    const free = aContract({ id: idOf('cT'), model });

    it('counts the licenses with a day in the month', () => {
      const licenses = [
        aLicense({ name: 'l1', on: 'cT', issued: '2026-01-01' }),
        aLicense({ name: 'l2', on: 'cT', issued: '2026-06-30' }),
        aLicense({ name: 'l3', on: 'cT', terminated: '2026-06-01' }),
        aLicense({ name: 'l4', on: 'cT', terminated: '2026-05-31' }),
        aLicense({ name: 'l5', on: 'cT', issued: '2026-07-01' }),
        aLicense({ name: 'l6', on: 'cT', issued: '2026-06-10', moves: [['2026-06-10', 'cA']] }),
      ];
      expect(bill({ in: '2026-06', contracts: [free], licenses })).toEqual({
        lines: [
          {
            contractId: 'cT',
            model,
            currency: 'EUR',
            quantity: 3,
            unitPriceCents: 1000,
            amountCents: 0,
            exact: '0/1',
            detail: [],
          },
        ],
        totals: [{ currency: 'EUR', amountCents: 0 }],
      });
    });

    it('has no line without such a license', () => {
      const licenses = [aLicense({ on: 'cT', terminated: '2026-05-31' })];
      expect(bill({ in: '2026-06', contracts: [free], licenses })).toEqual({ lines: [], totals: [] });
    });

    it('counts a license that leaves and comes back once', () => {
      const licenses = [aLicense({ on: 'cT', moves: [['2026-06-05', 'cA'], ['2026-06-20', 'cT']] })]; // prettier-ignore
      expect(bill({ in: '2026-06', contracts: [free], licenses }).lines).toMatchObject([{ quantity: 1 }]);
    });

    it('does not count a license after it moves to a paid contract, which bills it from that day', () => {
      const licenses = [aLicense({ on: 'cT', issued: '2026-06-02', moves: [['2026-06-12', 'cA']] })];
      // 19 of 30 days at 1000 = 633.33
      expect(bill({ in: '2026-06', contracts: [aContract(), free], licenses })).toMatchObject({
        lines: [
          { contractId: 'cA', quantity: 1, amountCents: 633 },
          { contractId: 'cT', quantity: 1, amountCents: 0 },
        ],
        totals: [{ currency: 'EUR', amountCents: 633 }],
      });
    });
  },
);
