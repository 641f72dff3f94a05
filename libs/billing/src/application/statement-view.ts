import type { Money } from '#kernel/money/money';
import type { StatementState } from '../domain/statements/statement.js';
import type { StatementRecord } from './ports/statement-repository.js';

/** A statement without its lines. */
export interface StatementView extends StatementState {
  /** By currency code. */
  readonly totals: readonly Money[];
}

export function statementView({ statement, figures }: StatementRecord): StatementView {
  return { ...statement.state, totals: figures.totals };
}
