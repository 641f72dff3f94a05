import { Injectable } from '@nestjs/common';
import { Clock } from '#kernel/time/clock';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { AgreedTime } from '../../application/ports/agreed-time.js';

@Injectable()
export class SqlAgreedTime extends AgreedTime {
  constructor(
    private readonly transactions: TypeOrmTransactions,
    private readonly clock: Clock,
  ) {
    super();
  }

  async now(): Promise<Date> {
    const [row] = await this.transactions.reader.query<{ now: Date }[]>('select clock_timestamp() as now');
    const own = this.clock.now();
    return row && row.now.getTime() < own.getTime() ? row.now : own;
  }
}
