import type { StatementLine, StatementPart } from '../domain/statements/statement-line.js';
import { Statement, type StatementState } from '../domain/statements/statement.js';
import { period } from './days.js';
import { idOf } from './ids.js';

/** The finalized first revision of June 2026 for partner `A`. */
export function aStatement(state: Partial<StatementState> = {}): StatementState {
  const draft = Statement.draft(
    { id: idOf('s1'), partnerId: idOf('A'), period: period('2026-06') },
    { figuresHash: 'f1', computedAt: new Date('2026-07-01T03:00:00Z') },
  );
  draft.review({ by: 'Ada', at: new Date('2026-07-02T00:00:00Z') });
  draft.finalize({ by: 'Ada', at: new Date('2026-07-02T08:30:00.250Z') });
  return { ...draft.state, ...state };
}

/** One metered license on contract `cA`: 15 days at 901 cents. */
export function aLine(line: Partial<StatementLine> = {}): StatementLine {
  return {
    contractId: idOf('cA'),
    model: 'per_instance_metered',
    currency: 'EUR',
    quantity: 1,
    unitPriceCents: 901,
    amountCents: 451,
    billedDays: 15,
    pack: null,
    ...line,
  };
}

export function aPart(part: Partial<StatementPart> = {}): StatementPart {
  return {
    contractId: idOf('cA'),
    licenseId: idOf('l1'),
    keyMasked: '…ABC123',
    days: 15,
    amountCents: 451,
    eventIds: [],
    ...part,
  };
}
