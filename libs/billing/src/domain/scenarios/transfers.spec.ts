import { aContract } from '../../testing/a-contract.js';
import { aLicense } from '../../testing/a-license.js';
import { bill, onlyPart } from '../../testing/bill.js';
import { idOf } from '../../testing/ids.js';

// 31.00 EUR in July (31 days) is 1.00 EUR a day.
const contracts = ['A', 'B', 'C'].map((partner) =>
  aContract({ id: idOf(`c${partner}`), partnerId: idOf(partner), unitPriceCents: 3100 }),
);
const nothing = { lines: [], totals: [] };

describe('on a transfer the effective day belongs to the new owner (rules 1 and 4)', () => {
  it('divides the month between both owners', () => {
    const licenses = [aLicense({ moves: [['2026-07-11', 'cB']] })];
    expect(onlyPart(bill({ of: 'A', in: '2026-07', contracts, licenses }))).toEqual({ days: 10, amountCents: 1000 });
    expect(onlyPart(bill({ of: 'B', in: '2026-07', contracts, licenses }))).toEqual({ days: 21, amountCents: 2100 });
  });

  it('gives the new owner the last day of the month alone', () => {
    const licenses = [aLicense({ moves: [['2026-07-31', 'cB']] })];
    expect(onlyPart(bill({ of: 'A', in: '2026-07', contracts, licenses }))).toEqual({ days: 30, amountCents: 3000 });
    expect(onlyPart(bill({ of: 'B', in: '2026-07', contracts, licenses }))).toEqual({ days: 1, amountCents: 100 });
  });

  it('gives the new owner the whole month when effective on its first day', () => {
    const licenses = [aLicense({ moves: [['2026-07-01', 'cB']] })];
    expect(bill({ of: 'A', in: '2026-07', contracts, licenses })).toEqual(nothing);
    expect(onlyPart(bill({ of: 'A', in: '2026-06', contracts, licenses }))).toEqual({ days: 30, amountCents: 3100 });
    expect(onlyPart(bill({ of: 'B', in: '2026-07', contracts, licenses }))).toEqual({ days: 31, amountCents: 3100 });
  });

  it('leaves no day to the issuer when effective on the issue day', () => {
    const licenses = [aLicense({ issued: '2026-07-10', moves: [['2026-07-10', 'cB']] })];
    expect(bill({ of: 'A', in: '2026-07', contracts, licenses })).toEqual(nothing);
    expect(onlyPart(bill({ of: 'B', in: '2026-07', contracts, licenses })).days).toBe(22);
  });

  it('lets the last recorded of several on one day win; the owners in between pay nothing', () => {
    const licenses = [aLicense({ moves: [['2026-07-11', 'cB'], ['2026-07-11', 'cC']] })]; // prettier-ignore
    expect(onlyPart(bill({ of: 'A', in: '2026-07', contracts, licenses })).days).toBe(10);
    expect(bill({ of: 'B', in: '2026-07', contracts, licenses })).toEqual(nothing);
    expect(onlyPart(bill({ of: 'C', in: '2026-07', contracts, licenses })).days).toBe(21);
  });

  it('changes nothing if several on one day end with the first owner', () => {
    const licenses = [aLicense({ moves: [['2026-07-11', 'cB'], ['2026-07-11', 'cA']] })]; // prettier-ignore
    expect(onlyPart(bill({ of: 'A', in: '2026-07', contracts, licenses }))).toEqual({ days: 31, amountCents: 3100 });
    expect(bill({ of: 'B', in: '2026-07', contracts, licenses })).toEqual(nothing);
  });

  it('adds the days of separate spans before it rounds', () => {
    const atNineOhOne = contracts.map(({ state }) => aContract({ ...state, unitPriceCents: 901 }));
    const licenses = [aLicense({ moves: [['2026-06-05', 'cB'], ['2026-06-20', 'cA']] })]; // prettier-ignore
    // A has 4 + 11 = 15 days: 901 * 15 / 30 = 450.5. Rounded apart: 120.13 + 330.37 would be 120 + 330 = 450.
    expect(onlyPart(bill({ of: 'A', in: '2026-06', contracts: atNineOhOne, licenses }))).toEqual({
      days: 15,
      amountCents: 451,
    });
    expect(onlyPart(bill({ of: 'B', in: '2026-06', contracts: atNineOhOne, licenses })).days).toBe(15);
  });

  it('bills the new owner for the termination day if the transfer is on that day', () => {
    const licenses = [aLicense({ terminated: '2026-07-11', moves: [['2026-07-11', 'cB']] })];
    expect(onlyPart(bill({ of: 'A', in: '2026-07', contracts, licenses })).days).toBe(10);
    expect(onlyPart(bill({ of: 'B', in: '2026-07', contracts, licenses })).days).toBe(1);
  });

  it('gives each contract of one partner its own days on its own line', () => {
    const own = [contracts[0]!, aContract({ id: idOf('cD'), unitPriceCents: 6200 })];
    const licenses = [aLicense({ moves: [['2026-07-11', 'cD']] })];
    // 10 days at 100 and 21 days at 200
    expect(bill({ in: '2026-07', contracts: own, licenses })).toMatchObject({
      lines: [
        { contractId: 'cA', quantity: 1, amountCents: 1000 },
        { contractId: 'cD', quantity: 1, amountCents: 4200 },
      ],
      totals: [{ currency: 'EUR', amountCents: 5200 }],
    });
  });

  it('changes no number if only the customer changes', () => {
    const licenses = [aLicense({ moves: [['2026-07-11', 'cA']] })];
    expect(bill({ in: '2026-07', contracts, licenses })).toMatchObject({
      lines: [{ quantity: 1, amountCents: 3100, detail: [{ days: 31 }] }],
    });
  });
});
