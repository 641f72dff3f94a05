import { Money } from '#kernel/money/money';
import { aLine, aPart, aStatement } from '../testing/a-statement.js';
import { idOf } from '../testing/ids.js';
import type { StoredLine } from './ports/figures-store.js';
import { RecalledFigures } from './recalled-figures.js';
import { DigestingSink } from './statement-digests.js';

const TOTALS = [Money.of(1353, 'EUR')];
const STORED = ['cA', 'cB', 'cC'].map((contract, position): StoredLine => ({
  ...aLine({ contractId: idOf(contract) }),
  position,
  validFrom: '2026-01-01',
  validTo: null,
}));
// The contract in the middle has a line without parts.
const PARTS = ['cA', 'cA', 'cC'].map((contract, index) =>
  aPart({ contractId: idOf(contract), licenseId: idOf(`l${index}`) }),
);

/** In the order in which they are computed. */
function computed(sink: Pick<DigestingSink, 'part' | 'line'>): void {
  for (const line of STORED) {
    for (const part of PARTS) if (part.contractId === line.contractId) sink.part(part);
    sink.line(line);
  }
}

describe('figures that are remembered', () => {
  it('have the digests that they have when totals and lines are known before', () => {
    const known = new DigestingSink(aStatement(), TOTALS, STORED);
    computed(known);
    const recalled = new RecalledFigures();
    computed(recalled);
    expect(recalled.digests(aStatement(), TOTALS, STORED)).toEqual(known.finish());
  });

  it('are those that were computed last', () => {
    const recalled = new RecalledFigures();
    recalled.part(aPart({ amountCents: 1 }));
    recalled.line(aLine());
    recalled.forget();
    computed(recalled);
    const once = new RecalledFigures();
    computed(once);
    const digests = recalled.digests(aStatement(), TOTALS, STORED);
    expect(digests).toEqual(once.digests(aStatement(), TOTALS, STORED));
    expect(digests?.size).toBe(3);
  });

  it('are none when they are more than are kept, until they are computed anew', () => {
    const recalled = new RecalledFigures(2);
    computed(recalled);
    expect(recalled.digests(aStatement(), TOTALS, STORED)).toBeNull();
    recalled.forget();
    expect(recalled.digests(aStatement(), TOTALS, STORED)).not.toBeNull();
  });
});
