import type { MigrationInterface, QueryRunner } from 'typeorm';

export class BackupLogs1767225795000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- No references to services.services: what was shipped outlives its service.
      create table backups.wal_streams (
        service_id   uuid        primary key,
        customer_id  uuid,
        next_segment text        check (next_segment ~ '^[0-9A-F]{24}$'),
        quiet_xid    text,
        reaches_to   timestamptz,
        problem      text,
        needs_base   boolean     not null
      );

      -- Copies of all files of a server, which its log is played onto.
      create table backups.wal_bases (
        id            uuid        primary key,
        service_id    uuid        not null,
        store_key     text        not null unique,
        sha256        text        not null,
        size_bytes    bigint      not null,
        first_segment text        not null,
        ended_at      timestamptz not null
      );
      create index wal_bases_of_service on backups.wal_bases (service_id, ended_at);

      create table backups.wal_segments (
        service_id uuid        not null,
        name       text        not null check (name ~ '^[0-9A-F]{24}$'),
        sha256     text        not null,
        size_bytes bigint      not null,
        marked_at  timestamptz,
        primary key (service_id, name)
      );

      create table backups.wal_leases (
        service_id   uuid        primary key,
        worker       uuid        not null,
        leased_until timestamptz not null
      );

      -- A restore to a moment has no backup.
      alter table backups.restores
        add column recover_to timestamptz,
        alter column backup_id drop not null,
        add constraint restores_source check ((backup_id is null) <> (recover_to is null));
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      delete from backups.restores where backup_id is null;
      alter table backups.restores
        drop constraint restores_source, drop column recover_to, alter column backup_id set not null;
      drop table backups.wal_leases, backups.wal_segments, backups.wal_bases, backups.wal_streams;
    `);
  }
}
