import { StatementCsv } from './statement-csv.js';
import { aLine, aPart, aStatement } from '../../testing/a-statement.js';
import { idOf } from '../../testing/ids.js';

const csv = new StatementCsv(aStatement());
const STATEMENT = `${idOf('s1')},${idOf('A')},2026-06-01,2026-06-30,1`;

describe('the CSV of a statement', () => {
  it('begins with the names of its columns', () => {
    expect(csv.header()).toBe(
      'statementId,partnerId,periodStart,periodEnd,revision,contractId,model,currency,licenseId,keyMasked,days,quantity,unitPriceCents,amountCents,packDrawn,packRemaining\r\n',
    );
  });

  it('has a row for each license of a metered contract, but none for the contract', () => {
    expect(csv.part(aPart(), aLine())).toBe(
      `${STATEMENT},${idOf('cA')},per_instance_metered,EUR,${idOf('l1')},…ABC123,15,1,901,451,,\r\n`,
    );
    expect(csv.line(aLine())).toBe('');
  });

  it.each(['flat_unlimited', 'flat_capped', 'trial', 'not_for_resale'] as const)(
    'has one row for a %s contract, with empty license columns',
    (model) => {
      expect(csv.line(aLine({ model, quantity: 3, amountCents: 7096 }))).toBe(
        `${STATEMENT},${idOf('cA')},${model},EUR,,,,3,901,7096,,\r\n`,
      );
    },
  );

  it('shows drawn and remaining slots on the row of a pack', () => {
    const pack = { size: 10, drawn: 4, drawnInPeriod: 2, remaining: 6 };
    expect(csv.line(aLine({ model: 'prepaid_pack', quantity: 4, amountCents: 0, pack }))).toBe(
      `${STATEMENT},${idOf('cA')},prepaid_pack,EUR,,,,4,901,0,4,6\r\n`,
    );
  });

  it('shows a pack that was not drawn from as 0, not as empty', () => {
    const pack = { size: 10, drawn: 0, drawnInPeriod: 0, remaining: 0 };
    expect(csv.line(aLine({ model: 'prepaid_pack', quantity: 0, amountCents: 0, pack }))).toMatch(/,0,901,0,0,0\r\n$/);
  });

  it('quotes a key and prevents spreadsheets from running it as a formula', () => {
    expect(csv.part(aPart({ keyMasked: '=cmd|"x",1' }), aLine())).toContain(`,"'=cmd|""x"",1",15,1,`);
  });

  it('has the same bytes before and after the statement is superseded', () => {
    const superseded = new StatementCsv(aStatement({ status: 'superseded' }));
    expect(superseded.part(aPart(), aLine())).toBe(csv.part(aPart(), aLine()));
  });

  it('has as many cells in every row as there are columns', () => {
    const rows = [csv.header(), csv.part(aPart(), aLine()), csv.line(aLine({ model: 'trial' }))];
    expect(rows.map((row) => row.split(',').length)).toEqual([16, 16, 16]);
  });
});
