import { Injectable } from '@nestjs/common';
import { LicenseCensus } from '#libs/customers';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { BillingDate } from '#kernel/time/calendar-date';
import { Clock } from '#kernel/time/clock';
import type { Uuid } from '#kernel/crypto/uuid';

@Injectable()
export class SqlLicenseCensus extends LicenseCensus {
  constructor(
    private readonly transactions: TypeOrmTransactions,
    private readonly clock: Clock,
  ) {
    super();
  }

  /** A license that is being issued counts as live. */
  async hasLiveLicenses(customerId: Uuid): Promise<boolean> {
    const today = BillingDate.of(this.clock.now()).toString();
    const rows: { live: boolean }[] = await this.transactions.reader.query(
      `select exists (select 1 from licensing.licenses
                       where customer_id = $1 and state in ('active', 'trial', 'suspended')
                         and not (state = 'trial' and coalesce(expires_on < $2, false)))
           or exists (select 1 from licensing.reservations where customer_id = $1) as live`,
      [customerId, today],
    );
    return rows[0]?.live ?? false;
  }
}
