import { aContract } from '../../testing/a-contract.js';
import { aLicense } from '../../testing/a-license.js';
import { bill, onlyPart } from '../../testing/bill.js';
import { day } from '../../testing/days.js';

// The engine does not even get suspensions, expiries, editions and names.
describe('only termination stops billing (rule 3)', () => {
  it('bills a license after the end of its contract', () => {
    const contracts = [aContract({ validFrom: day('2026-01-01'), validTo: day('2026-03-31') })];
    expect(onlyPart(bill({ in: '2026-06', contracts, licenses: [aLicense()] }))).toEqual({
      days: 30,
      amountCents: 1000,
    });
  });

  it('bills an imported license from before its contract begins', () => {
    const contracts = [aContract({ validFrom: day('2026-06-15') })];
    expect(onlyPart(bill({ in: '2026-06', contracts, licenses: [aLicense()] })).days).toBe(30);
  });

  it('counts a trial after it has expired', () => {
    const contracts = [aContract({ model: 'trial', validTo: day('2026-03-31') })];
    expect(bill({ in: '2026-06', contracts, licenses: [aLicense()] }).lines).toMatchObject([{ quantity: 1 }]);
  });
});
