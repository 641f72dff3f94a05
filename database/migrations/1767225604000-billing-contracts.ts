import type { MigrationInterface, QueryRunner } from 'typeorm';

export class BillingContracts1767225604000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create schema billing;

      create table billing.contracts (
        id               uuid        primary key,
        partner_id       uuid        not null references partners.partners (id),
        reference        text        not null check (reference <> ''),
        model            text        not null check (model in
          ('per_instance_metered', 'flat_unlimited', 'flat_capped', 'prepaid_pack', 'trial', 'not_for_resale')),
        currency         text        not null check (currency ~ '^[A-Z]{3}$'),
        unit_price_cents bigint      not null check (unit_price_cents >= 0),
        valid_from       date        not null,
        valid_to         date,
        license_cap      integer     check (license_cap > 0),
        pack_size        integer     check (pack_size > 0),
        editions         text[]      not null,
        created_at       timestamptz not null,
        check (valid_to >= valid_from),
        check (license_cap is null or model = 'flat_capped'),
        check ((pack_size is not null) = (model = 'prepaid_pack'))
      );
      create index contracts_partner on billing.contracts (partner_id, created_at desc, id desc);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop schema billing cascade');
  }
}
