import { Injectable } from '@nestjs/common';
import { BillingContract, type ContractState } from '#libs/billing';
import {
  newContactDetails,
  newCustomerDetails,
  type Contact,
  type ContactDetails,
  type Customer,
} from '#libs/customers';
import { newPartner, type Partner } from '#libs/partners';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { storedDay } from '#platform/database/stored-day';
import type { Uuid } from '#kernel/crypto/uuid';
import {
  StagedLines,
  type StagedContinuation,
  type StagedHistory,
} from '../../application/import/ports/staged-lines.js';
import { StagedHistories } from './staged-histories.js';
import { tableOf } from './staging-tables.js';

const BATCH = 1_000;

interface Placed {
  readonly line: number;
  readonly createdAt: Date | null;
}

type PartnerLineRow = Placed & { id: Uuid; name: string; partnerType: string; parentId: Uuid | null };
type ContractLineRow = Placed &
  Omit<ContractState, 'createdAt' | 'unitPriceCents' | 'validFrom' | 'validTo'> & {
    unitPriceCents: string;
    from: string;
    to: string | null;
  };
type CustomerLineRow = Placed & Omit<Customer, 'humanId' | 'createdAt'>;
type ContactLineRow = Placed & ContactDetails & { id: Uuid; customerId: Uuid };

@Injectable()
export class SqlStagedLines extends StagedLines {
  constructor(
    private readonly transactions: TypeOrmTransactions,
    private readonly licenses: StagedHistories,
  ) {
    super();
  }

  async *partners(now: Date): AsyncGenerator<Partner[]> {
    for (let level = 0; ; level++) {
      let found = false;
      for await (const rows of this.walk<PartnerLineRow>('partner', `s.level = ${level}`)) {
        found = true;
        yield rows.map(({ id, name, partnerType, parentId, createdAt }) =>
          newPartner({ id, name, type: partnerType, parentId, createdAt: createdAt ?? now }),
        );
      }
      if (!found) return;
    }
  }

  async *contracts(now: Date): AsyncGenerator<BillingContract[]> {
    const dates = 's."validFrom"::text as "from", s."validTo"::text as "to"';
    for await (const rows of this.walk<ContractLineRow>('contract', 's."partnerId" is not null', dates)) {
      yield rows.map(({ from, to, createdAt, unitPriceCents, ...terms }) =>
        BillingContract.sign({
          ...terms,
          unitPriceCents: Number(unitPriceCents),
          validFrom: storedDay(from),
          validTo: storedDay(to),
          createdAt: createdAt ?? now,
        }),
      );
    }
  }

  async *customers(now: Date): AsyncGenerator<Omit<Customer, 'humanId'>[]> {
    for await (const rows of this.walk<CustomerLineRow>('customer', 's."partnerId" is not null')) {
      yield rows.map((row) => {
        return { ...newCustomerDetails(row), id: row.id, partnerId: row.partnerId, createdAt: row.createdAt ?? now };
      });
    }
  }

  async *contacts(now: Date): AsyncGenerator<Omit<Contact, 'humanId'>[]> {
    for await (const rows of this.walk<ContactLineRow>('contact', 's."customerId" is not null')) {
      yield rows.map((row) => {
        const createdAt = row.createdAt ?? now;
        const { id, customerId } = row;
        return { ...newContactDetails(row), id, customerId, createdAt, updatedAt: createdAt };
      });
    }
  }

  histories(): AsyncIterable<StagedHistory[]> {
    return this.licenses.histories();
  }

  continuations(): AsyncIterable<StagedContinuation[]> {
    return this.licenses.continuations();
  }

  private async *walk<R extends Placed>(
    type: 'partner' | 'contract' | 'customer' | 'contact',
    condition: string,
    more = 'null as more',
  ): AsyncGenerator<R[]> {
    let last = 0;
    for (;;) {
      const rows = await this.transactions.writer.query<R[]>(
        `select s.*, ${more} from ${tableOf(type)} s
          where s.line > $1 and s.known is not true and ${condition} order by s.line limit ${BATCH}`,
        [last],
      );
      const end = rows.at(-1);
      if (!end) return;
      yield rows;
      last = end.line;
    }
  }
}
