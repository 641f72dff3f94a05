import { Injectable } from '@nestjs/common';
import { TypeOrmTransactions, type AdvisoryLock } from '#platform/database/transactions/typeorm-transactions';
import type { BillingDate } from '#kernel/time/calendar-date';
import type { Uuid } from '#kernel/crypto/uuid';
import { PartnerBooks } from '../application/ports/partner-books.js';

/** The first half of the advisory locks. No other advisory lock uses this number. */
const BOOKS = 74_022;

/** Above this number, one lock for all partners is taken, because a transaction cannot hold unlimited locks. */
const MAX_LOCKS = 20;

/**
 * Partners whose month of that day has ended by one of the clocks, or may end during a transaction that starts now.
 * Other months cannot be finalized: clocks are at most a second ahead of the database's.
 */
const MAY_BE_CLOSING = {
  name: 'books-that-may-be-closing',
  text: `select asked.partner_id from unnest($1::uuid[], $2::date[]) as asked (partner_id, day)
    where (date_trunc('month', asked.day::timestamp) + interval '1 month') at time zone 'UTC'
            <= greatest(clock_timestamp(), $3::timestamptz) + interval '2 minutes'
    order by asked.partner_id`,
};

@Injectable()
export class SqlPartnerBooks extends PartnerBooks {
  constructor(private readonly transactions: TypeOrmTransactions) {
    super();
  }

  close<T>(partnerId: Uuid, work: () => Promise<T>): Promise<T> {
    return this.transactions.runAlone(booksOf(partnerId), work);
  }

  async keepOpen(days: ReadonlyMap<Uuid, BillingDate>, now: Date): Promise<void> {
    const rows = await this.transactions.prepared<{ partner_id: Uuid }>(MAY_BE_CLOSING, [
      [...days.keys()],
      [...days.values()].map(String),
      now,
    ]);
    const partners = rows.map((row) => row.partner_id);
    if (partners.length > MAX_LOCKS) return this.transactions.shareAll(BOOKS);
    for (const partnerId of partners) await this.transactions.share(booksOf(partnerId));
  }
}

function booksOf(partnerId: Uuid): AdvisoryLock {
  return [BOOKS, partnerId];
}
