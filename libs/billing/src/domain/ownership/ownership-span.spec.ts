import { BillingDate } from '#kernel/time/calendar-date';
import { drawingSpans, NEVER, ownershipSpans, type LicenseHistory, type OwnershipSpan } from './ownership-span.js';
import { aLicense } from '../../testing/a-license.js';
import { day } from '../../testing/days.js';
import { idOf, nameOf } from '../../testing/ids.js';

/** `contract first..last`; the last day is omitted while the span is open. */
function printed(spans: readonly OwnershipSpan[]): string[] {
  return spans.map(({ contractId, firstDay, lastDay }) => {
    const last = lastDay === NEVER ? '' : BillingDate.fromEpochDay(lastDay).toString();
    return `${nameOf(contractId)} ${BillingDate.fromEpochDay(firstDay).toString()}..${last}`;
  });
}

describe('the spans of a license', () => {
  it('last from the issue day on, without an end', () => {
    expect(printed(ownershipSpans(aLicense({ issued: '2026-06-10' })))).toEqual(['cA 2026-06-10..']);
  });

  it('end with the termination day, inclusive', () => {
    const license = aLicense({ issued: '2026-06-10', terminated: '2026-06-10' });
    expect(printed(ownershipSpans(license))).toEqual(['cA 2026-06-10..2026-06-10']);
  });

  it('change hands on the effective day', () => {
    const license = aLicense({ issued: '2026-06-01', moves: [['2026-06-11', 'cB']] });
    expect(printed(ownershipSpans(license))).toEqual(['cA 2026-06-01..2026-06-10', 'cB 2026-06-11..']);
  });

  it('follow the effective days, not the order of recording', () => {
    const license = aLicense({ issued: '2026-06-01', moves: [['2026-06-21', 'cC'], ['2026-06-11', 'cB']] }); // prettier-ignore
    expect(printed(ownershipSpans(license))).toEqual([
      'cA 2026-06-01..2026-06-10',
      'cB 2026-06-11..2026-06-20',
      'cC 2026-06-21..',
    ]);
  });

  it('leave out owners without a day', () => {
    const license = aLicense({ issued: '2026-06-11', moves: [['2026-06-11', 'cB'], ['2026-06-11', 'cC']] }); // prettier-ignore
    expect(printed(ownershipSpans(license))).toEqual(['cC 2026-06-11..']);
  });

  it('begin with the issue day if a transfer is dated before it', () => {
    const license = aLicense({ issued: '2026-06-11', moves: [['2026-06-01', 'cB']] });
    expect(printed(ownershipSpans(license))).toEqual(['cB 2026-06-11..']);
  });

  it('end with the termination day if a transfer is dated after it', () => {
    const license = aLicense({ issued: '2026-06-01', terminated: '2026-06-10', moves: [['2026-06-11', 'cB']] });
    expect(printed(ownershipSpans(license))).toEqual(['cA 2026-06-01..2026-06-10']);
    expect(printed(drawingSpans(license))).toEqual(['cA 2026-06-01..2026-06-10']);
  });

  it('name the ledger events that opened and closed them', () => {
    const history: LicenseHistory = {
      contractId: idOf('cA'),
      issuedOn: day('2026-06-01'),
      issueEventId: 1,
      terminatedOn: day('2026-06-30'),
      terminationEventId: 9,
      transfers: [
        { effectiveDate: day('2026-06-11'), recordedOrder: 1, toContractId: idOf('cB'), outEventId: 2, inEventId: 3 },
        { effectiveDate: day('2026-06-11'), recordedOrder: 2, toContractId: idOf('cC'), outEventId: 4, inEventId: 5 },
      ],
    };
    expect(ownershipSpans(history)).toMatchObject([
      { contractId: idOf('cA'), openedBy: 1, closedBy: 2 },
      { contractId: idOf('cC'), openedBy: 5, closedBy: 9 },
    ]);
  });

  it('name no events if the history has none', () => {
    expect(ownershipSpans(aLicense({ issued: '2026-06-01', moves: [['2026-06-11', 'cB']] }))).toMatchObject([
      { openedBy: null, closedBy: null },
      { openedBy: null, closedBy: null },
    ]);
  });
});

describe('the spans that draw from a pack', () => {
  it('are the first under each contract, including those without a day', () => {
    const license = aLicense({
      issued: '2026-06-01',
      moves: [['2026-06-11', 'cB'], ['2026-06-11', 'cC'], ['2026-06-20', 'cA'], ['2026-06-25', 'cB']], // prettier-ignore
    });
    expect(printed(drawingSpans(license))).toEqual([
      'cA 2026-06-01..2026-06-10',
      'cB 2026-06-11..2026-06-10',
      'cC 2026-06-11..2026-06-19',
    ]);
  });
});
