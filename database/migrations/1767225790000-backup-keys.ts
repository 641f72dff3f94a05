import type { MigrationInterface, QueryRunner } from 'typeorm';

export class BackupKeys1767225790000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create schema if not exists backups;

      -- The panel's own keys of age; backups are sealed to the newest.
      create table backups.panel_keys (
        id              uuid        primary key,
        recipient       text        not null unique check (recipient ~ '^age1'),
        sealed_identity bytea       not null,
        created_at      timestamptz not null
      );

      -- Public keys of organisations, which can then read their backups without the panel.
      create table backups.organisation_keys (
        organisation_id uuid        primary key references panel_auth.organisations (id) on delete cascade,
        recipient       text        not null check (recipient ~ '^age1'),
        updated_at      timestamptz not null
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table backups.organisation_keys, backups.panel_keys');
  }
}
