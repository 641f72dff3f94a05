import { Injectable } from '@nestjs/common';
import { TypeOrmTransactions, type AdvisoryLock } from '#platform/database/transactions/typeorm-transactions';
import type { Uuid } from '#kernel/crypto/uuid';
import { PartnerBooks } from '../application/ports/partner-books.js';

/** Any number; no other advisory lock has it as its first half. */
const BOOKS = 74_022;

/** One transaction cannot hold locks without number: beyond this all books are kept open. */
const MAX_LOCKS = 20;

@Injectable()
export class SqlPartnerBooks extends PartnerBooks {
  constructor(private readonly transactions: TypeOrmTransactions) {
    super();
  }

  close<T>(partnerId: Uuid, work: () => Promise<T>): Promise<T> {
    return this.transactions.runAlone(booksOf(partnerId), work);
  }

  async keepOpen(partnerIds: readonly Uuid[]): Promise<void> {
    const partners = [...new Set(partnerIds)].sort();
    if (partners.length > MAX_LOCKS) return this.transactions.shareAll(BOOKS);
    for (const partnerId of partners) await this.transactions.share(booksOf(partnerId));
  }
}

function booksOf(partnerId: Uuid): AdvisoryLock {
  return [BOOKS, partnerId];
}
