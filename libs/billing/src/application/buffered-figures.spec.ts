import { Money } from '#kernel/money/money';
import { aLine, aPart, aStatement } from '../testing/a-statement.js';
import { idOf } from '../testing/ids.js';
import type { StoredLine } from './ports/figures-store.js';
import { BufferedFigures } from './buffered-figures.js';
import { DigestingSink } from './statement-digests.js';

const TOTALS = [Money.of(1353, 'EUR')];
const STORED = ['cA', 'cB', 'cC'].map((contract, position): StoredLine => ({
  ...aLine({ contractId: idOf(contract) }),
  position,
  validFrom: '2026-01-01',
  validTo: null,
}));
// The second of three contracts has a line without parts.
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

describe('buffered figures', () => {
  it('give the same digests as when totals and lines are known in advance', () => {
    const known = new DigestingSink(aStatement(), TOTALS, STORED);
    computed(known);
    const buffered = new BufferedFigures();
    computed(buffered);
    expect(buffered.digests(aStatement(), TOTALS, STORED)).toEqual(known.finish());
  });

  it('are those of the last computation', () => {
    const buffered = new BufferedFigures();
    buffered.part(aPart({ amountCents: 1 }));
    buffered.line(aLine());
    buffered.clear();
    computed(buffered);
    const once = new BufferedFigures();
    computed(once);
    const digests = buffered.digests(aStatement(), TOTALS, STORED);
    expect(digests).toEqual(once.digests(aStatement(), TOTALS, STORED));
    expect(digests?.size).toBe(3);
  });

  it('are dropped above the maximum number of parts, until the next computation', () => {
    const buffered = new BufferedFigures(2);
    computed(buffered);
    expect(buffered.digests(aStatement(), TOTALS, STORED)).toBeNull();
    buffered.clear();
    expect(buffered.digests(aStatement(), TOTALS, STORED)).not.toBeNull();
  });
});
