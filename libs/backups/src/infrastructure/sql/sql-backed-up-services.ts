import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { BackedUpServices } from '../../application/ports/backed-up-services.js';

@Injectable()
export class SqlBackedUpServices extends BackedUpServices {
  constructor(private readonly transactions: TypeOrmTransactions) {
    super();
  }

  async existing(ids: readonly Uuid[]): Promise<ReadonlySet<Uuid>> {
    const rows: { id: Uuid }[] = await this.transactions.reader.query(
      'select s.id from services.services s where s.id = any($1)',
      [ids],
    );
    return new Set(rows.map(({ id }) => id));
  }
}
