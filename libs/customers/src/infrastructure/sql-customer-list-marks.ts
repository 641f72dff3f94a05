import { Injectable } from '@nestjs/common';
import { ListMarkBuilder } from '#platform/database/list-marks';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { CustomerListMarks } from '../application/ports/customer-list-marks.js';

const BUILDER_LOCK = 7_402_115_005;

@Injectable()
export class SqlCustomerListMarks extends CustomerListMarks {
  private readonly builder: ListMarkBuilder;

  constructor(transactions: TypeOrmTransactions) {
    super();
    const list = { schema: 'customers', time: 'created_at', id: 'customer_id', lock: BUILDER_LOCK };
    this.builder = new ListMarkBuilder(transactions, list);
  }

  extend(horizon: Date, spacing: number): Promise<void> {
    return this.builder.extend(horizon, spacing);
  }
}
