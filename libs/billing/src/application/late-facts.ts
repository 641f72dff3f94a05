import { Injectable } from '@nestjs/common';
import type { BillingDate } from '#kernel/time/calendar-date';
import { Clock } from '#kernel/time/clock';
import type { Uuid } from '#kernel/crypto/uuid';
import { PartnerBooks } from './ports/partner-books.js';
import { StatementRepository } from './ports/statement-repository.js';

/**
 * Told of facts that change what is billed from a day on: finalized figures never follow them. Whether they come too
 * late is told by the statements themselves, not by a clock, of which there are as many as machines.
 */
@Injectable()
export class LateFacts {
  constructor(
    private readonly statements: StatementRepository,
    private readonly books: PartnerBooks,
    private readonly clock: Clock,
  ) {}

  /**
   * Flags what is finalized of the months from `from` on for correction. To be called in the transaction that changes
   * the facts, after they are changed.
   * @param partnerIds all whose figures may change
   */
  changed(partnerIds: readonly Uuid[], from: BillingDate): Promise<void> {
    return this.changedSince(new Map(partnerIds.map((partnerId) => [partnerId, from])));
  }

  /** As `changed`, for many partners, each from a day of its own on. */
  async changedSince(days: ReadonlyMap<Uuid, BillingDate>): Promise<void> {
    if (days.size === 0) return;
    const now = this.clock.now();
    await this.books.keepOpen(days, now);
    await this.statements.flag(days, now);
  }
}
