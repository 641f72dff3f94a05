import { aContract } from '../../testing/a-contract.js';
import { aLicense } from '../../testing/a-license.js';
import { bill, onlyPart } from '../../testing/bill.js';
import { day } from '../../testing/days.js';
import { idOf } from '../../testing/ids.js';

describe('live usage accrues through the day on which it is computed', () => {
  it('bills the days of a license up to that day, prorated by the days of the whole month', () => {
    // 1000 * 11 / 30 = 366.67
    expect(onlyPart(bill({ in: '2026-06', through: '2026-06-11', licenses: [aLicense()] }))).toEqual({
      days: 11,
      amountCents: 367,
    });
  });

  it('bills one day on the first', () => {
    expect(onlyPart(bill({ in: '2026-06', through: '2026-06-01', licenses: [aLicense()] })).days).toBe(1);
  });

  it('charges a flat fee for the valid days up to that day', () => {
    const contracts = [aContract({ model: 'flat_unlimited', validFrom: day('2026-06-10') })];
    // 1000 * 2 / 30 = 66.67
    expect(bill({ in: '2026-06', through: '2026-06-11', contracts }).totals).toEqual([
      { currency: 'EUR', amountCents: 67 },
    ]);
    expect(bill({ in: '2026-06', through: '2026-06-09', contracts }).lines).toEqual([]);
  });

  it('shows a pack from its first valid day on', () => {
    const contracts = [aContract({ id: idOf('cK'), model: 'prepaid_pack', packSize: 3, validFrom: day('2026-06-10') })];
    expect(bill({ in: '2026-06', through: '2026-06-09', contracts }).lines).toEqual([]);
    expect(bill({ in: '2026-06', through: '2026-06-10', contracts }).lines).toHaveLength(1);
  });

  it('equals the statement on the last day and later', () => {
    const licenses = [aLicense({ issued: '2026-06-05' })];
    const statement = bill({ in: '2026-06', licenses });
    expect(bill({ in: '2026-06', through: '2026-06-30', licenses })).toEqual(statement);
    expect(bill({ in: '2026-06', through: '2026-07-03', licenses })).toEqual(statement);
  });

  it('is refused before the month', () => {
    expect(() => bill({ in: '2026-06', through: '2026-05-31' })).toThrow(RangeError);
  });
});
