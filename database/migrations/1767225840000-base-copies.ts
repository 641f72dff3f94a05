import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How the attempts to copy a database went, and a lease of their own: the log is shipped meanwhile. */
export class BaseCopies1767225840000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table backups.wal_streams
        add column copy_failures integer not null default 0 check (copy_failures >= 0),
        add column copy_failed_at timestamptz,
        add column copy_problem text;
      alter table backups.wal_leases
        add column work text not null default 'log' check (work in ('log', 'copy')),
        drop constraint wal_leases_pkey,
        add primary key (service_id, work);
      create or replace function backups.follow_owner() returns trigger language plpgsql as $$
      begin
        update backups.backups set customer_id = new.customer_id where service_id = new.id;
        update backups.restores set customer_id = new.customer_id where service_id = new.id;
        update backups.wal_streams set customer_id = new.customer_id where service_id = new.id;
        return null;
      end $$;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create or replace function backups.follow_owner() returns trigger language plpgsql as $$
      begin
        update backups.backups set customer_id = new.customer_id where service_id = new.id;
        update backups.restores set customer_id = new.customer_id where service_id = new.id;
        return null;
      end $$;
      delete from backups.wal_leases where work = 'copy';
      alter table backups.wal_leases
        drop constraint wal_leases_pkey, drop column work, add primary key (service_id);
      alter table backups.wal_streams drop column copy_failures, drop column copy_failed_at, drop column copy_problem;
    `);
  }
}
