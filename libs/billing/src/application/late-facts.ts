import { Injectable } from '@nestjs/common';
import type { BillingDate } from '#kernel/time/calendar-date';
import { BillingPeriod } from '#kernel/time/billing-period';
import { Clock } from '#kernel/time/clock';
import type { Uuid } from '#kernel/crypto/uuid';
import { PartnerBooks } from './ports/partner-books.js';
import { StatementRepository } from './ports/statement-repository.js';

/** Told of facts that come to light after the month in which they take effect: finalized figures never follow them. */
@Injectable()
export class LateFacts {
  constructor(
    private readonly statements: StatementRepository,
    private readonly books: PartnerBooks,
    private readonly clock: Clock,
  ) {}

  /**
   * Flags what is finalized of the months from `from` on for correction. To be called in the transaction that changes
   * the facts, after they are changed; costs nothing while no month since then has ended.
   * @param partnerIds all whose figures may change
   */
  changed(partnerIds: readonly Uuid[], from: BillingDate): Promise<void> {
    return this.changedSince(new Map(partnerIds.map((partnerId) => [partnerId, from])));
  }

  /** As `changed`, for many partners, each from a day of its own on. */
  async changedSince(days: ReadonlyMap<Uuid, BillingDate>): Promise<void> {
    const now = this.clock.now();
    const late = [...days].filter(([, from]) => BillingPeriod.containing(from).hasEnded(now));
    if (late.length === 0) return;
    await this.books.keepOpen(late.map(([partnerId]) => partnerId));
    await this.statements.flag(new Map(late), now);
  }
}
