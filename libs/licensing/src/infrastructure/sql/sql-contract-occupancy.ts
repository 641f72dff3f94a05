import { Injectable } from '@nestjs/common';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import type { BillingDate } from '#kernel/time/calendar-date';
import type { Uuid } from '#kernel/crypto/uuid';
import { ContractOccupancy } from '../../application/ports/contract-occupancy.js';

@Injectable()
export class SqlContractOccupancy extends ContractOccupancy {
  constructor(private readonly transactions: TypeOrmTransactions) {
    super();
  }

  live(contractId: Uuid, day: BillingDate): Promise<number> {
    return this.count(
      `select (select count(*) from licensing.licenses
                where contract_id = $1 and state in ('active', 'trial', 'suspended')
                  and not (state = 'trial' and coalesce(expires_on < $2, false)))
            + (select count(*) from licensing.reservations where contract_id = $1) as number`,
      [contractId, day.toString()],
    );
  }

  drawn(contractId: Uuid): Promise<number> {
    return this.count(
      `select (select count(*) from licensing.pack_draws where contract_id = $1)
            + (select count(*) from licensing.reservations where contract_id = $1) as number`,
      [contractId],
    );
  }

  async hasDrawn(contractId: Uuid, licenseId: Uuid): Promise<boolean> {
    const rows: unknown[] = await this.transactions.reader.query(
      'select 1 from licensing.pack_draws where contract_id = $1 and license_id = $2',
      [contractId, licenseId],
    );
    return rows.length > 0;
  }

  private async count(sql: string, values: readonly unknown[]): Promise<number> {
    const rows: { number: string }[] = await this.transactions.reader.query(sql, [...values]);
    return Number(rows[0]?.number);
  }
}
