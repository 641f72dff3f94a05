import { Injectable } from '@nestjs/common';
import { BillingDate } from '#kernel/calendar-date';
import { BillingPeriod } from '#kernel/billing-period';
import { Clock } from '#kernel/clock';
import { StatementQueries } from './statement-queries.js';
import { StatementService } from './statement-service.js';

/** The daily run: what the month that goes on costs so far, partner by partner. */
@Injectable()
export class UsageRecomputation {
  constructor(
    private readonly queries: StatementQueries,
    private readonly service: StatementService,
    private readonly clock: Clock,
  ) {}

  /** Safe to run again at any time: figures that are the same on the same day are not stored again. */
  async run(): Promise<number> {
    const period = BillingPeriod.containing(BillingDate.of(this.clock.now()));
    let recomputed = 0;
    for (const partnerId of await this.queries.billablePartners(period)) {
      const { outcome } = await this.service.recomputeDraft(partnerId, period);
      if (outcome === 'done') recomputed++;
    }
    return recomputed;
  }
}
