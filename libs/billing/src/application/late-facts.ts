import { Injectable } from '@nestjs/common';
import type { BillingDate } from '#kernel/time/calendar-date';
import { Clock } from '#kernel/time/clock';
import type { Uuid } from '#kernel/crypto/uuid';
import { PartnerBooks } from './ports/partner-books.js';
import { StatementRepository } from './ports/statement-repository.js';

/**
 * Handles facts that change what is billed from a day on. Finalized figures never change; their statements are flagged
 * instead. Whether a fact is late is decided by the state of the statements, not by a clock, because the clocks of
 * machines differ.
 */
@Injectable()
export class LateFacts {
  constructor(
    private readonly statements: StatementRepository,
    private readonly books: PartnerBooks,
    private readonly clock: Clock,
  ) {}

  /**
   * Flags finalized statements of the months from `from` on for correction. Call it in the transaction that changes the
   * facts, after the change.
   * @param partnerIds all partners whose figures may change
   */
  changed(partnerIds: readonly Uuid[], from: BillingDate): Promise<void> {
    return this.changedSince(new Map(partnerIds.map((partnerId) => [partnerId, from])));
  }

  /** Same as `changed`, for many partners, each from its own day on. */
  async changedSince(days: ReadonlyMap<Uuid, BillingDate>): Promise<void> {
    if (days.size === 0) return;
    const now = this.clock.now();
    await this.books.keepOpen(days, now);
    await this.statements.flag(days, now);
  }
}
