import fc from 'fast-check';
import type { Uuid } from '#kernel/crypto/uuid';
import { aContract } from '../../testing/a-contract.js';
import { anyWorld, PARTNERS } from '../../testing/arbitrary-world.js';
import { month } from '../../testing/days.js';
import { idOf } from '../../testing/ids.js';
import { spansUnder, statementOf } from '../../testing/statement-of.js';
import { BillingWindow } from '../ownership/billing-window.js';
import { LineTally } from './line-tally.js';
import { totalsByDays, type LicensesByDays } from './totals-by-days.js';

describe('totals by days', () => {
  it('equal the totals of the statement for any history', () => {
    fc.assert(
      fc.property(anyWorld(8), ({ period, contracts, licenses }) => {
        const window = BillingWindow.wholeMonth(period);
        const days = new Map<string, number>();
        for (const span of spansUnder(contracts, licenses)) {
          const key = `${span.contractId} ${span.licenseId}`;
          days.set(key, (days.get(key) ?? 0) + window.daysWithin(span.firstDay, span.lastDay));
        }
        const counts = new Map<Uuid, LicensesByDays[]>();
        for (const [key, count] of days) {
          const contractId = key.split(' ')[0] as Uuid;
          if (count > 0) counts.set(contractId, [...(counts.get(contractId) ?? []), { days: count, licenses: 1 }]);
        }
        for (const partner of PARTNERS) {
          const own = contracts.filter(({ state }) => state.partnerId === idOf(partner));
          const { totals } = statementOf(partner, contracts, licenses, window);
          expect(totalsByDays(own, counts, window)).toEqual(totals);
        }
      }),
    );
  });

  it('round each of many licenses with the same number of days', () => {
    const contract = aContract({ unitPriceCents: 333 });
    const counts = new Map([[contract.state.id, [{ days: 15, licenses: 3 }, { days: 30, licenses: 1000 }]]]); // prettier-ignore
    // 333 / 2 = 166.5 three times, and 333 a thousand times.
    expect(totalsByDays([contract], counts, month('2026-06'))[0]?.cents).toBe(3 * 167 + 333_000);
  });

  it('give the same line as parts added one by one', () => {
    const [atOnce, byOne] = [
      new LineTally(aContract(), month('2026-06')),
      new LineTally(aContract(), month('2026-06')),
    ];
    atOnce.addParts(7, 2);
    atOnce.addParts(30, 3);
    for (const days of [7, 7, 30, 30, 30]) byOne.addPart(days);
    expect(atOnce.line()).toEqual(byOne.line());
    const trial = new LineTally(aContract({ model: 'trial' }), month('2026-06'));
    trial.addLicenses(2);
    trial.addLicenses(3);
    expect(trial.line()).toMatchObject({ quantity: 5, amountCents: 0 });
  });
});
