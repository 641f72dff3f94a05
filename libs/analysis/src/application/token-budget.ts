import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { Clock } from '#kernel/time/clock';
import { AnalysisBudgetExhausted } from '../domain/analysis-errors.js';
import { TokenLedger } from './ports/token-ledger.js';
import { AnalysisSettings } from './settings.js';

const DAY_MS = 86_400_000;

/**
 * The number of tokens an organisation may use per day. Analyses in progress are completed, so it can be exceeded a
 * little.
 */
@Injectable()
export class TokenBudget {
  constructor(
    private readonly ledger: TokenLedger,
    private readonly settings: AnalysisSettings,
    private readonly clock: Clock,
  ) {}

  /** @throws AnalysisBudgetExhausted */
  async assertLeft(organisationId: Uuid | null): Promise<void> {
    const now = this.clock.now();
    if ((await this.ledger.used(organisationId, dayOf(now))) < this.settings.tokensPerDay) return;
    throw new AnalysisBudgetExhausted(Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / 1000));
  }

  spend(organisationId: Uuid | null, tokens: number): Promise<void> {
    return this.ledger.add(organisationId, dayOf(this.clock.now()), tokens);
  }
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
