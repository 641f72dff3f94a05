import { StatementCalculator, type BillableSpan } from './statement-calculator.js';
import type { StatementLine, StatementPart } from './statement-line.js';
import { aContract } from '../../testing/a-contract.js';
import { day, month } from '../../testing/days.js';
import { idOf, nameOf } from '../../testing/ids.js';

const contracts = [aContract({ id: idOf('c1') }), aContract({ id: idOf('c3') })];

function span(contract: string, license: string, over: Partial<BillableSpan> = {}): BillableSpan {
  const [contractId, licenseId] = [idOf(contract), idOf(license)];
  const always = { firstDay: 0, lastDay: Number.MAX_SAFE_INTEGER, openedBy: null, closedBy: null };
  return { contractId, licenseId, keyMasked: `…${license}`, ...always, ...over };
}

function run(spans: readonly BillableSpan[], of = contracts) {
  const log: string[] = [];
  const parts: StatementPart[] = [];
  const calculator = new StatementCalculator(of, month('2026-06'), {
    part: (part: StatementPart) => {
      parts.push(part);
      log.push(`part ${nameOf(part.contractId)} ${nameOf(part.licenseId)} ${part.keyMasked}`);
    },
    line: (line: StatementLine) => void log.push(`line ${nameOf(line.contractId)} ${line.quantity}`),
  });
  spans.forEach((one) => calculator.add(one));
  return { log, parts, totals: calculator.finish(), calculator };
}

describe('the statement calculator', () => {
  it('emits the parts of a contract one by one, then its line', () => {
    expect(run([span('c1', 'l1'), span('c1', 'l2'), span('c3', 'l1')]).log).toEqual([
      'part c1 l1 …l1',
      'part c1 l2 …l2',
      'line c1 2',
      'part c3 l1 …l1',
      'line c3 1',
    ]);
  });

  it('emits nothing without spans', () => {
    expect(run([])).toMatchObject({ log: [], totals: [] });
  });

  it('counts a license once under each contract', () => {
    const twice = [
      span('c1', 'l1', { lastDay: day('2026-06-05').epochDay }),
      span('c1', 'l1', { firstDay: day('2026-06-10').epochDay }),
      span('c3', 'l1'),
    ];
    expect(run(twice).parts).toMatchObject([{ days: 26 }, { days: 30 }]);
  });

  it('ignores spans outside the month', () => {
    const outside = [
      span('c1', 'l1', { lastDay: day('2026-05-31').epochDay }),
      span('c1', 'l2', { firstDay: day('2026-07-01').epochDay }),
    ];
    expect(run(outside).log).toEqual([]);
  });

  it('names the events that opened each span, and those that closed it within the month', () => {
    const spans = [
      span('c1', 'l1', { lastDay: day('2026-05-20').epochDay, openedBy: 1, closedBy: 2 }),
      span('c1', 'l1', { firstDay: day('2026-05-25').epochDay, lastDay: day('2026-06-05').epochDay, openedBy: 3, closedBy: 4 }), // prettier-ignore
      span('c1', 'l1', { firstDay: day('2026-06-20').epochDay, lastDay: day('2026-06-30').epochDay, openedBy: 5, closedBy: 6 }), // prettier-ignore
      span('c1', 'l2', { firstDay: day('2026-06-20').epochDay, lastDay: day('2026-06-29').epochDay, openedBy: 7, closedBy: 8 }), // prettier-ignore
      span('c1', 'l3', { lastDay: day('2026-06-05').epochDay }),
      span('c1', 'l4', { openedBy: 9 }),
    ];
    expect(run(spans).parts.map((part) => part.eventIds)).toEqual([[3, 4, 5], [7, 8], [], [9]]);
  });

  it('requires contracts by id, each once', () => {
    expect(() => run([], [...contracts].reverse())).toThrow(new RangeError('contracts must come by id, once'));
    expect(() => run([], [contracts[0]!, contracts[0]!])).toThrow(new RangeError('contracts must come by id, once'));
  });

  it.each([
    ['a contract after a later one', [span('c3', 'l1'), span('c1', 'l1')], idOf('c1')],
    ['a foreign contract between', [span('c2', 'l1')], idOf('c2')],
    ['a foreign contract at the end', [span('c4', 'l1')], idOf('c4')],
  ])('refuses %s', (_, spans, id) => {
    expect(() => run(spans)).toThrow(new RangeError(`a span is out of order or of a foreign contract: ${id}`));
  });

  it('refuses a license after a later one', () => {
    expect(() => run([span('c1', 'l2'), span('c1', 'l1')])).toThrow(
      new RangeError(`spans must come by license id: ${idOf('l1')} after ${idOf('l2')}`),
    );
  });

  it.each([
    ['share a day', { lastDay: day('2026-06-05').epochDay }, { firstDay: day('2026-06-05').epochDay }],
    ['come in the wrong order', { firstDay: day('2026-06-10').epochDay }, { lastDay: day('2026-06-05').epochDay }],
  ])('refuses two spans of a license that %s', (_, first, second) => {
    expect(() => run([span('c1', 'l1', first), span('c1', 'l1', second)])).toThrow(
      new RangeError(`two spans share a day: ${idOf('l1')}`),
    );
  });

  it('refuses more spans after it has finished', () => {
    expect(() => run([]).calculator.add(span('c1', 'l1'))).toThrow(RangeError);
  });

  it('refuses an amount that would not be exact', () => {
    // At 10^12 cents each, the line exceeds the safe integers with the 9,008th license.
    const dear = [aContract({ id: idOf('c1'), unitPriceCents: 1_000_000_000_000 })];
    const licenses = Array.from({ length: 9_008 }, (_, index) => span('c1', `l${String(index).padStart(5, '0')}`));
    expect(run(licenses.slice(1), dear).totals[0]!.cents).toBe(9_007_000_000_000_000);
    expect(() => run(licenses, dear)).toThrow('the amount exceeds the safe integers');
  });
});
