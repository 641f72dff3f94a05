import { aContract } from '../../testing/a-contract.js';
import { aLicense, type NamedHistory } from '../../testing/a-license.js';
import { bill } from '../../testing/bill.js';
import { day } from '../../testing/days.js';
import { idOf } from '../../testing/ids.js';

const pack = aContract({ id: idOf('cK'), model: 'prepaid_pack', packSize: 10, unitPriceCents: 500 });
const metered = aContract({ id: idOf('cA') });

function drawn(inMonth: string, licenses: NamedHistory[], contract = pack) {
  return bill({ in: inMonth, contracts: [contract], licenses }).lines[0]?.pack;
}

describe('a prepaid pack costs nothing and counts drawn licenses (rule 7)', () => {
  it('counts licenses drawn up to the end of the month, and those drawn in the month', () => {
    const licenses = [
      aLicense({ name: 'l1', on: 'cK', issued: '2026-01-05', terminated: '2026-02-01' }),
      aLicense({ name: 'l2', on: 'cK', issued: '2026-05-31' }),
      aLicense({ name: 'l3', on: 'cK', issued: '2026-06-01' }),
      aLicense({ name: 'l4', on: 'cK', issued: '2026-06-30', terminated: '2026-06-30' }),
      aLicense({ name: 'l5', on: 'cK', issued: '2026-07-01' }),
    ];
    expect(bill({ in: '2026-06', contracts: [pack], licenses })).toEqual({
      lines: [
        {
          contractId: 'cK',
          model: 'prepaid_pack',
          currency: 'EUR',
          quantity: 4,
          unitPriceCents: 500,
          amountCents: 0,
          exact: '0/1',
          detail: [],
          pack: { size: 10, drawn: 4, drawnInPeriod: 2, remaining: 6 },
        },
      ],
      totals: [{ currency: 'EUR', amountCents: 0 }],
    });
  });

  it('has a line in exactly the months in which it is valid, drawn from or not', () => {
    const june = aContract({ ...pack.state, validFrom: day('2026-06-30'), validTo: day('2026-07-01') });
    const licenses = [aLicense({ on: 'cK', issued: '2026-06-30' })];
    expect(drawn('2026-05', licenses, june)).toBeUndefined();
    expect(drawn('2026-06', [], june)).toEqual({ size: 10, drawn: 0, drawnInPeriod: 0, remaining: 10 });
    expect(drawn('2026-07', licenses, june)).toEqual({ size: 10, drawn: 1, drawnInPeriod: 0, remaining: 9 });
    expect(drawn('2026-08', licenses, june)).toBeUndefined();
  });

  it('is drawn from on the effective day of a transfer to it', () => {
    const licenses = [aLicense({ on: 'cA', issued: '2026-01-01', moves: [['2026-06-01', 'cK']] })];
    expect(drawn('2026-05', licenses)).toMatchObject({ drawn: 0, drawnInPeriod: 0 });
    expect(drawn('2026-06', licenses)).toMatchObject({ drawn: 1, drawnInPeriod: 1 });
    expect(drawn('2026-07', licenses)).toMatchObject({ drawn: 1, drawnInPeriod: 0 });
  });

  it('keeps a slot drawn after the license moves away, and the new contract bills the license', () => {
    const licenses = [aLicense({ on: 'cK', issued: '2026-05-01', moves: [['2026-06-16', 'cA']] })];
    // 15 of 30 days at 1000
    expect(bill({ in: '2026-06', contracts: [metered, pack], licenses })).toMatchObject({
      lines: [
        { contractId: 'cA', quantity: 1, amountCents: 500 },
        { contractId: 'cK', quantity: 1, amountCents: 0, pack: { drawn: 1, drawnInPeriod: 0, remaining: 9 } },
      ],
      totals: [{ currency: 'EUR', amountCents: 500 }],
    });
  });

  it('keeps a slot drawn even if a later transfer of the same day leaves the license no day on the pack', () => {
    const issued = aLicense({ on: 'cK', issued: '2026-06-10', moves: [['2026-06-10', 'cA']] });
    expect(drawn('2026-06', [issued])).toMatchObject({ drawn: 1, drawnInPeriod: 1 });
    const passed = aLicense({ on: 'cA', moves: [['2026-06-10', 'cK'], ['2026-06-10', 'cA']] }); // prettier-ignore
    expect(drawn('2026-06', [passed])).toMatchObject({ drawn: 1, drawnInPeriod: 1 });
  });

  it('gives a license that comes back no second slot', () => {
    const licenses = [aLicense({ on: 'cK', issued: '2026-04-01', moves: [['2026-05-10', 'cA'], ['2026-06-10', 'cK']] })]; // prettier-ignore
    expect(drawn('2026-06', licenses)).toMatchObject({ drawn: 1, drawnInPeriod: 0, remaining: 9 });
  });

  it('never shows a negative number as remaining', () => {
    const small = aContract({ ...pack.state, packSize: 1 });
    const licenses = ['l1', 'l2'].map((name) => aLicense({ name, on: 'cK' }));
    expect(drawn('2026-06', licenses, small)).toEqual({ size: 1, drawn: 2, drawnInPeriod: 0, remaining: 0 });
  });
});
