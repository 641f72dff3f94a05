import { Injectable } from '@nestjs/common';
import { ListMarkBuilder } from '#platform/database/list-marks';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { ListMarks } from '../../application/ports/list-marks.js';

export const BUILDER_LOCK = 7_402_115_003;

@Injectable()
export class SqlListMarks extends ListMarks {
  private readonly builder: ListMarkBuilder;

  constructor(transactions: TypeOrmTransactions) {
    super();
    const list = { schema: 'licensing', time: 'issued_at', id: 'license_id', lock: BUILDER_LOCK };
    this.builder = new ListMarkBuilder(transactions, list);
  }

  extend(horizon: Date, spacing: number): Promise<void> {
    return this.builder.extend(horizon, spacing);
  }
}
