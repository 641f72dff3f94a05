import { createHash } from 'node:crypto';
import { Money } from '#kernel/money/money';
import { FiguresHash } from './figures-hash.js';
import type { StatementLine, StatementPart } from './statement-line.js';
import { aLine, aPart } from '../../testing/a-statement.js';
import { period } from '../../testing/days.js';
import { idOf } from '../../testing/ids.js';

interface Figures {
  partner?: string;
  month?: string;
  part?: Partial<StatementPart>;
  line?: Partial<StatementLine>;
  total?: Money;
}

function hashOf({ partner = 'A', month = '2026-06', part, line, total = Money.of(451, 'EUR') }: Figures = {}): string {
  const hash = new FiguresHash(idOf(partner), period(month));
  hash.part(aPart(part));
  hash.line(aLine(line));
  return hash.finish([total]);
}

const pack = { size: 10, drawn: 4, drawnInPeriod: 2, remaining: 6 };

describe('the hash of the figures', () => {
  it('is the SHA-256 of the documented text', () => {
    const text = [
      ['figures', 1, idOf('A'), '2026-06'],
      ['part', idOf('cA'), idOf('l1'), 15, 451],
      ['line', idOf('cA'), 'per_instance_metered', 'EUR', 1, 901, 451],
      ['total', 'EUR', 451],
    ].map((fields) => `${fields.join('\t')}\n`);
    expect(hashOf()).toBe(createHash('sha256').update(text.join('')).digest('hex'));
  });

  it('covers the counts of a pack', () => {
    const hash = new FiguresHash(idOf('A'), period('2026-06'));
    hash.line(aLine({ model: 'prepaid_pack', quantity: 4, amountCents: 0, pack }));
    const text = [
      ['figures', 1, idOf('A'), '2026-06'],
      ['line', idOf('cA'), 'prepaid_pack', 'EUR', 4, 901, 0, 10, 4, 2, 6],
    ].map((fields) => `${fields.join('\t')}\n`);
    expect(hash.finish([])).toBe(createHash('sha256').update(text.join('')).digest('hex'));
  });

  it.each<[string, Figures]>([
    ['the partner', { partner: 'B' }],
    ['the month', { month: '2026-07' }],
    ['the days of a license', { part: { days: 16 } }],
    ['the amount of a license', { part: { amountCents: 450 } }],
    ['the license', { part: { licenseId: idOf('l2') } }],
    ['the contract of a license', { part: { contractId: idOf('cB') } }],
    ['the contract', { line: { contractId: idOf('cB') } }],
    ['the model', { line: { model: 'flat_capped' } }],
    ['the currency', { line: { currency: 'USD' } }],
    ['the quantity', { line: { quantity: 2 } }],
    ['the price', { line: { unitPriceCents: 902 } }],
    ['the amount of a line', { line: { amountCents: 452 } }],
    ['a pack', { line: { pack } }],
    ['a total', { total: Money.of(452, 'EUR') }],
    ['the currency of a total', { total: Money.of(451, 'USD') }],
  ])('changes with %s', (_, figures) => {
    expect(hashOf(figures)).not.toBe(hashOf());
  });

  it('does not change with printed names', () => {
    expect(hashOf({ part: { keyMasked: '…other' } })).toBe(hashOf());
  });
});
