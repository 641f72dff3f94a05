import { Injectable } from '@nestjs/common';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { ContractImport } from '../application/contract-import.js';
import type { BillingContract } from '../domain/contracts/contract.js';

@Injectable()
export class SqlContractImport extends ContractImport {
  constructor(private readonly transactions: TypeOrmTransactions) {
    super();
  }

  async insert(contracts: readonly BillingContract[]): Promise<void> {
    const rows = contracts.map(({ state }) => ({
      id: state.id,
      partner_id: state.partnerId,
      reference: state.reference,
      model: state.model,
      currency: state.currency,
      unit_price_cents: state.unitPriceCents,
      valid_from: state.validFrom,
      valid_to: state.validTo,
      license_cap: state.licenseCap,
      pack_size: state.packSize,
      editions: state.editions,
      created_at: state.createdAt,
    }));
    await this.transactions.writer.query(
      'insert into billing.contracts select * from json_populate_recordset(null::billing.contracts, $1)',
      [JSON.stringify(rows)],
    );
  }
}
