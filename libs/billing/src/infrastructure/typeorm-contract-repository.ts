import { Injectable } from '@nestjs/common';
import type { PartnerAccount, PartnerSubtree } from '#libs/partners';
import { ASKED_IN_SUBTREE } from '#platform/database/batching/asked-in-subtree';
import { HotReader } from '#platform/database/batching/hot-reader';
import { arraysOf, relationOf, rowsByPlace } from '#platform/database/batching/set-statement';
import { tickBatch } from '#platform/database/batching/tick-batch';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { NotFound } from '#kernel/errors';
import type { PageRequest } from '#kernel/page';
import { storedDay } from '#platform/database/stored-day';
import type { Uuid } from '#kernel/crypto/uuid';
import type { QueryResultRow } from 'pg';
import type { SelectQueryBuilder } from 'typeorm';
import { ContractRepository } from '../application/ports/contract-repository.js';
import { BillingContract } from '../domain/contracts/contract.js';
import { ContractRow } from './contract.row.js';

const IN_SUBTREE =
  'exists (select 1 from partners.subtrees s where s.ancestor_id = :root and s.descendant_id = contract.partner_id)';

interface Asked {
  readonly subtree: PartnerSubtree;
  readonly id: Uuid;
}

const CHOSEN = `select asked.place, c.id, c.partner_id as "partnerId", c.reference, c.model, c.currency,
    c.unit_price_cents as "unitPriceCents", c.valid_from::text as "validFrom", c.valid_to::text as "validTo",
    c.license_cap as "licenseCap", c.pack_size as "packSize", c.editions, c.created_at as "createdAt"
  from ${relationOf(ASKED_IN_SUBTREE)} as asked
  join billing.contracts c on c.id = asked.id and exists (
    select 1 from partners.subtrees s where s.ancestor_id = asked.root_id and s.descendant_id = c.partner_id)`;
const values = arraysOf(ASKED_IN_SUBTREE);
const FOR_READING = { name: 'contracts', text: CHOSEN, values };
const FOR_UPDATE = { name: 'contracts-for-update', text: `${CHOSEN} order by c.id for no key update of c`, values };

@Injectable()
export class TypeOrmContractRepository extends ContractRepository {
  readonly look: ContractRepository['look'];

  constructor(
    private readonly transactions: TypeOrmTransactions,
    reader: HotReader,
  ) {
    super();
    const load = tickBatch<Asked, BillingContract>(async (questions) => {
      const rows = await reader.rows(FOR_READING, values(questions));
      return rowsByPlace<ContractRow>(rows, questions.length).map(([row]) => (row ? toDomain(row) : null));
    });
    this.look = (subtree, id) => load({ subtree, id });
  }

  async insert(contract: BillingContract): Promise<void> {
    await this.transactions.writer.insert(ContractRow, toRow(contract));
  }

  async updateEnd({ state }: BillingContract): Promise<void> {
    await this.transactions.writer.update(
      ContractRow,
      { id: state.id },
      { validTo: state.validTo?.toString() ?? null },
    );
  }

  async find(subtree: PartnerSubtree, id: Uuid): Promise<BillingContract | null> {
    const rows: QueryResultRow[] = await this.transactions.reader.query(FOR_READING.text, values([{ subtree, id }]));
    const [row] = rowsByPlace<ContractRow>(rows, 1)[0] ?? [];
    return row ? toDomain(row) : null;
  }

  async findForUpdate(subtree: PartnerSubtree, id: Uuid): Promise<BillingContract | null> {
    const [row] = await this.transactions.ask<ContractRow, Asked>(FOR_UPDATE, { subtree, id });
    return row ? toDomain(row) : null;
  }

  async list(subtree: PartnerSubtree, page: PageRequest): Promise<BillingContract[]> {
    const query = this.within(subtree)
      .orderBy('contract.createdAt', 'DESC')
      .addOrderBy('contract.id', 'DESC')
      .limit(page.limit);
    if (page.after === null) query.offset(page.offset);
    else {
      const after = await this.find(subtree, page.after);
      if (!after) throw new NotFound();
      const { createdAt, id } = after.state;
      query.andWhere('(contract.createdAt, contract.id) < (:createdAt, :id)', { createdAt, id });
    }
    return (await query.getMany()).map(toDomain);
  }

  async listOf(account: PartnerAccount): Promise<BillingContract[]> {
    const where = { partnerId: account.partnerId };
    const rows = await this.transactions.reader.find(ContractRow, { where, order: { id: 'ASC' } });
    return rows.map(toDomain);
  }

  async all(): Promise<BillingContract[]> {
    const rows = await this.transactions.reader.find(ContractRow, { order: { partnerId: 'ASC', id: 'ASC' } });
    return rows.map(toDomain);
  }

  async ownerOf(id: Uuid): Promise<Uuid | null> {
    const row = await this.transactions.reader.findOneBy(ContractRow, { id });
    return row?.partnerId ?? null;
  }

  private within(subtree: PartnerSubtree): SelectQueryBuilder<ContractRow> {
    const query = this.transactions.reader.createQueryBuilder(ContractRow, 'contract');
    return query.where(IN_SUBTREE, { root: subtree.rootId });
  }
}

function toRow({ state }: BillingContract): ContractRow {
  return {
    ...state,
    unitPriceCents: String(state.unitPriceCents),
    validFrom: state.validFrom.toString(),
    validTo: state.validTo?.toString() ?? null,
    editions: [...state.editions],
  };
}

function toDomain(row: ContractRow): BillingContract {
  return BillingContract.restore({
    ...row,
    unitPriceCents: Number(row.unitPriceCents),
    validFrom: storedDay(row.validFrom),
    validTo: storedDay(row.validTo),
  });
}
