import { aLicense } from '../../testing/a-license.js';
import { bill, onlyPart } from '../../testing/bill.js';

// 10.00 EUR a month on contract cA; June has 30 days.
describe('a license bills from its issue day through its termination day, both counted (rule 2)', () => {
  it('bills the issue day', () => {
    const licenses = [aLicense({ issued: '2026-06-30' })];
    // 1000 * 1 / 30 = 33.33
    expect(onlyPart(bill({ in: '2026-06', licenses }))).toEqual({ days: 1, amountCents: 33 });
  });

  it('bills the termination day', () => {
    const licenses = [aLicense({ terminated: '2026-06-01' })];
    expect(onlyPart(bill({ in: '2026-06', licenses }))).toEqual({ days: 1, amountCents: 33 });
  });

  it('bills both of them', () => {
    const licenses = [aLicense({ issued: '2026-06-10', terminated: '2026-06-12' })];
    // 1000 * 3 / 30 = 100
    expect(onlyPart(bill({ in: '2026-06', licenses }))).toEqual({ days: 3, amountCents: 100 });
  });

  it('bills one day when issued and terminated on the same day', () => {
    const licenses = [aLicense({ issued: '2026-06-15', terminated: '2026-06-15' })];
    expect(onlyPart(bill({ in: '2026-06', licenses }))).toEqual({ days: 1, amountCents: 33 });
  });

  it('bills nothing, and prints no line, in the months before the issue and after the termination', () => {
    const licenses = [aLicense({ issued: '2026-06-01', terminated: '2026-06-30' })];
    expect(bill({ in: '2026-05', licenses })).toEqual({ lines: [], totals: [] });
    expect(bill({ in: '2026-07', licenses })).toEqual({ lines: [], totals: [] });
    // 1000 * 30 / 30
    expect(onlyPart(bill({ in: '2026-06', licenses }))).toEqual({ days: 30, amountCents: 1000 });
  });
});
