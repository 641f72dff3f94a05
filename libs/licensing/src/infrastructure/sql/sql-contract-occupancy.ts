import { Injectable } from '@nestjs/common';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import type { BillingDate } from '#kernel/time/calendar-date';
import type { UnitOfWork } from '#kernel/transactions';
import type { Uuid } from '#kernel/crypto/uuid';
import { ContractOccupancy } from '../../application/ports/contract-occupancy.js';

@Injectable()
export class SqlContractOccupancy extends ContractOccupancy {
  constructor(private readonly transactions: TypeOrmTransactions) {
    super();
  }

  live(unit: UnitOfWork, contractId: Uuid, day: BillingDate): Promise<number> {
    return this.count(
      unit,
      `select (select count(*) from licensing.licenses
                where contract_id = $1 and state in ('active', 'trial', 'suspended')
                  and not (state = 'trial' and coalesce(expires_on < $2, false)))
            + (select count(*) from licensing.reservations where contract_id = $1) as number`,
      [contractId, day.toString()],
    );
  }

  drawn(unit: UnitOfWork, contractId: Uuid): Promise<number> {
    return this.count(
      unit,
      `select (select count(*) from licensing.pack_draws where contract_id = $1)
            + (select count(*) from licensing.reservations where contract_id = $1) as number`,
      [contractId],
    );
  }

  async hasDrawn(unit: UnitOfWork, contractId: Uuid, licenseId: Uuid): Promise<boolean> {
    const rows: unknown[] = await this.transactions
      .readerOf(unit)
      .query('select 1 from licensing.pack_draws where contract_id = $1 and license_id = $2', [contractId, licenseId]);
    return rows.length > 0;
  }

  private async count(unit: UnitOfWork, sql: string, values: readonly unknown[]): Promise<number> {
    const rows: { number: string }[] = await this.transactions.readerOf(unit).query(sql, [...values]);
    return Number(rows[0]?.number);
  }
}
