import { Injectable } from '@nestjs/common';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { LINE_TYPES, type LineType } from '../../application/import/import-line.js';
import type { ProblemSample } from '../../application/import/ports/import-staging.js';
import { lineRanges } from './line-ranges.js';
import { sampled, SAMPLE, type SampleRow } from './problem-samples.js';
import { REFERENCES, tableOf, type StagedReference } from './staging-tables.js';

const STORED: Readonly<Record<StagedReference['to'], string>> = {
  partner: 'partners.partners p where true',
  contract: 'billing.contracts p where true',
  customer: 'customers.customers p where p.deleted_at is null',
  license: 'licensing.licenses p where true',
};

/** The customers and contracts that new lines name. */
const CUSTOMERS_WITH_CONTACTS = `select "customerId" from ${tableOf('contact')} where known is not true`;
const CUSTOMERS = `select "customerId" from ${tableOf('license')} where known is not true
  union ${CUSTOMERS_WITH_CONTACTS}
  union select "toCustomerId" from ${tableOf('transfer')} where known is not true`;
const CONTRACTS = `select "contractId" from ${tableOf('license')} where known is not true
  union select "toContractId" from ${tableOf('transfer')} where known is not true`;

/** Resolves the references of staged lines: to other lines, to earlier imports, to stored records. */
@Injectable()
export class LineReferences {
  constructor(private readonly transactions: TypeOrmTransactions) {}

  async resolve(): Promise<void> {
    for (const type of LINE_TYPES) {
      for await (const range of lineRanges(this.transactions, type)) await this.resolveRange(type, range);
    }
    await this.rankPartners();
    await this.collectCustomers();
    await this.collectContracts();
    for (const type of ['event', 'transfer'] as const) {
      for await (const range of lineRanges(this.transactions, type)) await this.findLicenseLines(type, range);
      await this.query(`create index on ${tableOf(type)} ("licenseLine", line)`);
      await this.query(`analyze ${tableOf(type)}`);
    }
  }

  /** Locks customers before contracts, each by id, like every other call. So there is no deadlock. */
  async lock(): Promise<void> {
    const customersOf = (ids: string, strength: string) => `
      select count(*) from (select 1 from customers.customers where id in (${ids}) order by id for ${strength}) held`;
    await this.query(customersOf(CUSTOMERS_WITH_CONTACTS, 'no key update'));
    await this.query(customersOf(CUSTOMERS, 'share'));
    await this.query(
      `select count(*) from (select 1 from billing.contracts where id in (${CONTRACTS})
                                and (license_cap is not null or pack_size is not null or model = 'trial') order by id
                                for no key update) held`,
    );
  }

  async check(): Promise<ProblemSample[]> {
    const samples = [await this.cycles()];
    for (const type of LINE_TYPES) {
      for (const reference of REFERENCES[type]) samples.push(...(await this.namesNothing(type, reference)));
    }
    return samples;
  }

  private async resolveRange(type: LineType, range: readonly [number, number]): Promise<void> {
    const found = REFERENCES[type].map(
      ({ name, to }) => `"${name}Id" = coalesce(
        s."${name}Id",
        (select p.id from ${tableOf(to)} p where p.ref = s."${name}Ref" limit 1),
        (select m.record_id from licensing.imported_lines m where m.type = '${to}' and m.ref = s."${name}Ref"))`,
    );
    await this.query(
      `update ${tableOf(type)} s set ${found.join(', ')} where s.line between $1 and $2 and s.known is not true`,
      range,
    );
  }

  private async findLicenseLines(type: 'event' | 'transfer', range: readonly [number, number]): Promise<void> {
    await this.query(
      `update ${tableOf(type)} s set "licenseLine" = l.line
         from ${tableOf('license')} l
        where s.line between $1 and $2 and s.known is not true and l.id = s."licenseId" and l.known is not true`,
      range,
    );
  }

  /** Level 0 has no parent in the file. Partners in a cycle get no level. */
  private async rankPartners(): Promise<void> {
    const partners = tableOf('partner');
    await this.query(
      `update ${partners} s set level = 0
        where s.known is not true
          and not exists (select 1 from ${partners} p where p.id = s."parentId" and p.known is not true)`,
    );
    for (let level = 0; ; level++) {
      const [, ranked] = await this.query<[unknown, number]>(
        `update ${partners} s set level = $1 + 1 from ${partners} p where s."parentId" = p.id and p.level = $1::integer`,
        [level],
      );
      if (ranked === 0) return;
    }
  }

  private async collectCustomers(): Promise<void> {
    await this.query(
      `create temp table import_customer_facts on commit drop as
       select id, "partnerId" as partner_id from ${tableOf('customer')} where known is not true
       union all
       select id, partner_id from customers.customers where deleted_at is null and id in (${CUSTOMERS})`,
    );
    await this.query('create index on pg_temp.import_customer_facts (id)');
    await this.query('analyze pg_temp.import_customer_facts');
  }

  private async collectContracts(): Promise<void> {
    await this.query(
      `create temp table import_contract_facts on commit drop as
       select id, "partnerId" as partner_id, model, "validTo" as valid_to, "packSize" as pack_size, editions
         from ${tableOf('contract')} where known is not true
       union all
       select id, partner_id, model, valid_to, pack_size, editions
         from billing.contracts where id in (${CONTRACTS})`,
    );
    await this.query('create index on pg_temp.import_contract_facts (id)');
    await this.query('analyze pg_temp.import_contract_facts');
  }

  private cycles(): Promise<ProblemSample> {
    return this.sample(
      `select line, count(*) over () as total from ${tableOf('partner')} where known is not true and level is null`,
      'parentRef leads back to the partner itself',
    );
  }

  private async namesNothing(type: LineType, { name, to }: StagedReference): Promise<ProblemSample[]> {
    const unmatched = (field: string, condition: string) =>
      this.sample(
        `select s.line, count(*) over () as total from ${tableOf(type)} s
          where s.known is not true and ${condition}
            and not exists (select 1 from ${tableOf(to)} p where p.id = s."${name}Id" and p.known is not true)
            and not exists (select 1 from ${STORED[to]} and p.id = s."${name}Id")
            and not exists (select 1 from pg_temp.import_unreadable u where u.type = '${to}' and u.ref = s."${name}Ref")`,
        `${name}${field} refers to a ${to} that does not exist`,
      );
    return [
      await unmatched('Ref', `s."${name}Ref" is not null`),
      await unmatched('Id', `s."${name}Ref" is null and s."${name}Id" is not null`),
    ];
  }

  private async sample(sql: string, message: string): Promise<ProblemSample> {
    return sampled(await this.query<SampleRow[]>(`${sql} order by line limit ${SAMPLE}`), message);
  }

  private query<R = unknown>(sql: string, values: readonly unknown[] = []): Promise<R> {
    return this.transactions.writer.query(sql, [...values]);
  }
}
