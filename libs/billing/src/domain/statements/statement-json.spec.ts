import * as fc from 'fast-check';
import { Money } from '#kernel/money/money';
import { StatementJson } from './statement-json.js';
import type { StatementLine, StatementPart } from './statement-line.js';
import type { StatementState } from './statement.js';
import { aLine, aPart, aStatement } from '../../testing/a-statement.js';
import { period } from '../../testing/days.js';
import { idOf } from '../../testing/ids.js';

function written(statement: StatementState, totals: Money[], lines: [StatementLine, StatementPart[]][]): string {
  const json = new StatementJson();
  const pieces = lines.flatMap(([line, parts]) => [json.line(line), ...parts.map((part) => json.part(part))]);
  return [json.open(statement, totals), ...pieces, json.close()].join('');
}

describe('the JSON document of a statement', () => {
  it('has its keys in a fixed order and no white space', () => {
    const pack = { size: 10, drawn: 4, drawnInPeriod: 2, remaining: 6 };
    const lines: [StatementLine, StatementPart[]][] = [
      [aLine(), [aPart()]],
      [aLine({ contractId: idOf('cK'), model: 'prepaid_pack', quantity: 4, amountCents: 0, pack }), []],
    ];
    expect(written(aStatement(), [Money.of(451, 'EUR')], lines)).toBe(
      `{"id":"${idOf('s1')}","partnerId":"${idOf('A')}","periodStart":"2026-06-01","periodEnd":"2026-06-30",` +
        `"revision":1,"status":"finalized","computedAt":"2026-07-01T03:00:00.000Z","finalizedBy":"Ada",` +
        `"finalizedAt":"2026-07-02T08:30:00.250Z","totals":[{"currency":"EUR","amountCents":451}],"lines":[` +
        `{"contractId":"${idOf('cA')}","model":"per_instance_metered","currency":"EUR","quantity":1,` +
        `"unitPriceCents":901,"amountCents":451,"detail":[{"licenseId":"${idOf('l1')}","keyMasked":"…ABC123",` +
        `"days":15,"amountCents":451}]},` +
        `{"contractId":"${idOf('cK')}","model":"prepaid_pack","currency":"EUR","quantity":4,"unitPriceCents":901,` +
        `"amountCents":0,"pack":{"size":10,"drawn":4,"drawnInPeriod":2,"remaining":6},"detail":[]}]}`,
    );
  });

  it('has no statement fields in the summary of the current month', () => {
    const computedAt = new Date('2026-06-15T01:00:00Z');
    const json = new StatementJson();
    expect(json.openUsage(period('2026-06'), computedAt, [Money.of(451, 'EUR')]) + json.close()).toBe(
      '{"periodStart":"2026-06-01","periodEnd":"2026-06-30","computedAt":"2026-06-15T01:00:00.000Z",' +
        '"totals":[{"currency":"EUR","amountCents":451}],"lines":[]}',
    );
  });

  it('names the corrected revision on a correction only', () => {
    const correction = aStatement({ revision: 2, supersedesStatementId: idOf('s0') });
    expect(written(correction, [], [])).toContain(
      `"finalizedAt":"2026-07-02T08:30:00.250Z","supersedesStatementId":"${idOf('s0')}","totals":[],"lines":[]}`,
    );
    expect(written(aStatement(), [], [])).not.toContain('supersedes');
  });

  it('may be the summary of the current month, computed or not', () => {
    const usage = (computedAt: Date | null) => {
      const json = new StatementJson();
      return json.openUsage(period('2026-06'), computedAt, [Money.of(451, 'EUR')]) + json.close();
    };
    const month = '"periodStart":"2026-06-01","periodEnd":"2026-06-30"';
    const figures = '"totals":[{"currency":"EUR","amountCents":451}],"lines":[]';
    expect(usage(null)).toBe(`{${month},"computedAt":null,${figures}}`);
    expect(usage(new Date(0))).toBe(`{${month},"computedAt":"1970-01-01T00:00:00.000Z",${figures}}`);
  });

  it('is complete without a line', () => {
    expect(JSON.parse(written(aStatement(), [], []))).toMatchObject({ totals: [], lines: [] });
  });

  it('keeps any number of lines and licenses in the given order', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.string()), { maxLength: 5 }), (keys) => {
        const lines = keys.map((line): [StatementLine, StatementPart[]] => [
          aLine({ quantity: line.length }),
          line.map((keyMasked) => aPart({ keyMasked })),
        ]);
        const { lines: read } = JSON.parse(written(aStatement(), [], lines)) as {
          lines: { quantity: number; detail: { keyMasked: string }[] }[];
        };
        expect(read.map((line) => line.detail.map((part) => part.keyMasked))).toEqual(keys);
        expect(read.map((line) => line.quantity)).toEqual(keys.map((line) => line.length));
      }),
    );
  });
});
