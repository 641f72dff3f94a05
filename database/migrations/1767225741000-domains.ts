import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Domains1767225741000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Host names that point to containers of services. A host belongs to one service in the whole panel.
      create table services.domains (
        id                     uuid        primary key,
        service_id             uuid        not null references services.services (id) on delete cascade,
        host                   text        not null check (host = lower(host) and host <> ''),
        target_service         text        not null,
        target_port            integer     not null check (target_port between 1 and 65535),
        is_primary             boolean     not null,
        tls                    text        not null check (tls in ('automatic', 'internal', 'off')),
        status                 text        not null check (status in ('pending', 'active', 'failed')),
        verification_method    text        not null check (verification_method in ('dns_txt', 'base_domain')),
        verification_record    text,
        verification_value     text,
        checked_at             timestamptz,
        error_message          text,
        verified_at            timestamptz,
        certificate_expires_at timestamptz,
        created_at             timestamptz not null,
        -- Null: nothing to verify.
        next_check_at          timestamptz,
        constraint domains_host unique (host),
        check ((verification_method = 'dns_txt') = (verification_value is not null)),
        check (status <> 'active' or verified_at is not null)
      );
      create index domains_service on services.domains (service_id, created_at, id);
      create unique index domains_one_primary on services.domains (service_id) where is_primary;
      create index domains_due on services.domains (next_check_at) where next_check_at is not null;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table services.domains');
  }
}
