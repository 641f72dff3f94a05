import { Injectable } from '@nestjs/common';
import { BillingDate } from '#kernel/time/calendar-date';
import { BillingPeriod } from '#kernel/time/billing-period';
import { Clock } from '#kernel/time/clock';
import type { Money } from '#kernel/money/money';
import type { Uuid } from '#kernel/crypto/uuid';
import { StatementQueries } from './statement-queries.js';
import { StatementService } from './statement-service.js';
import { StatementTotals } from './statement-totals.js';

/** The daily run: computes the usage of the current month, partner by partner. */
@Injectable()
export class UsageRecomputation {
  constructor(
    private readonly queries: StatementQueries,
    private readonly service: StatementService,
    private readonly totals: StatementTotals,
    private readonly clock: Clock,
  ) {}

  /**
   * Safe to run again at any time: unchanged figures of the same day are not stored again. At the end the totals are
   * compared with totals counted by the database. A partner whose totals differ, because its licenses changed
   * meanwhile, is computed once more.
   * @returns how many partners have usage
   */
  async run(): Promise<number> {
    const period = BillingPeriod.containing(BillingDate.of(this.clock.now()));
    const computed = new Map<Uuid, readonly Money[]>();
    const recompute = async (partnerId: Uuid) => {
      const result = await this.service.recomputeDraft(partnerId, period);
      if (result.outcome === 'done') computed.set(partnerId, result.statement.totals);
    };
    for (const partnerId of await this.queries.billablePartners(period)) await recompute(partnerId);
    for (const [partnerId, counted] of await this.totals.of(period)) {
      if (!same(counted, computed.get(partnerId) ?? [])) await recompute(partnerId);
    }
    return computed.size;
  }
}

function same(a: readonly Money[], b: readonly Money[]): boolean {
  return a.length === b.length && a.every((money, index) => b[index]?.equals(money));
}
