import type { MigrationInterface, QueryRunner } from 'typeorm';

export class LicenseService1767225606000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create schema license_service;

      create table license_service.policies (
        id         uuid        primary key,
        edition    text        not null unique check (edition <> ''),
        created_at timestamptz not null
      );

      -- Licenses keep their policy permanently: none is deleted or gets another id.
      create function license_service.refuse_policy_change() returns trigger language plpgsql as $$
      begin
        raise exception 'licenses have this policy for good: % is not possible', tg_op
          using errcode = 'insufficient_privilege';
      end $$;
      create trigger policies_stay before update of id or delete or truncate on license_service.policies
        for each statement execute function license_service.refuse_policy_change();

      -- The key itself is not stored: its hash finds the record, its last characters identify it to people.
      create table license_service.licenses (
        id                uuid        primary key,
        key_hash          bytea       not null unique check (length(key_hash) = 32),
        key_masked        text        not null,
        policy_id         uuid        not null references license_service.policies (id),
        suspended         boolean     not null,
        expires_at        timestamptz,
        metadata          jsonb       not null,
        metadata_sequence bigint      not null,
        created_at        timestamptz not null,
        revoked_at        timestamptz
      ) with (fillfactor = 85);

      -- Ed25519 pairs; the newest one that is not retired signs. The private half opens only with the key ring.
      create table license_service.signing_keys (
        id                 uuid        primary key,
        public_key         bytea       not null check (length(public_key) = 32),
        sealed_private_key bytea       not null,
        created_at         timestamptz not null,
        retired_at         timestamptz
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop schema license_service cascade');
  }
}
