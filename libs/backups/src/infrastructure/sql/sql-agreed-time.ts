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

  async shared(): Promise<Date> {
    const [row] = await this.transactions.reader.query<{ now: Date }[]>('select clock_timestamp() as now');
    return row?.now ?? this.clock.now();
  }

  async earliest(): Promise<Date> {
    return new Date(Math.min(...(await this.both())));
  }

  async latest(): Promise<Date> {
    return new Date(Math.max(...(await this.both())));
  }

  private async both(): Promise<readonly number[]> {
    return [(await this.shared()).getTime(), this.clock.now().getTime()];
  }
}
