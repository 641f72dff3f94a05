import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Backups1767225791000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create schema if not exists backups;

      -- No reference to services.services: backups outlive their service.
      create table backups.backups (
        id              uuid        primary key,
        service_id      uuid        not null,
        -- The organisation of the service, kept up to date by a trigger. Null for the panel's own.
        customer_id     uuid,
        kind            text        not null check (kind in ('dump', 'base', 'snapshot')),
        trigger         text        not null check (trigger in ('manual', 'schedule', 'pre-restore', 'pre-delete')),
        status          text        not null check (status in ('queued', 'running', 'succeeded', 'failed', 'expired')),
        -- What the service was when it was asked for: enough to prove and restore without the service.
        origin          jsonb       not null,
        store_key       text        not null unique,
        size_bytes      bigint      check (size_bytes > 0),
        sha256          text        check (sha256 ~ '^[0-9a-f]{64}$'),
        database_version text,
        -- What the dump says of itself: objects by kind, rows by table.
        inventory       jsonb,
        notes           jsonb       not null default '[]',
        verification    jsonb,
        verification_status text    generated always as (verification ->> 'status') stored,
        error_message   text        check ((error_message is not null) or status <> 'failed'),
        created_at      timestamptz not null,
        started_at      timestamptz,
        finished_at     timestamptz,
        expires_at      timestamptz,
        -- Which worker has it; one that died lets it go by being silent. By the clock of the database.
        worker          uuid,
        leased_until    timestamptz,
        check (status <> 'succeeded' or (size_bytes is not null and sha256 is not null and finished_at is not null))
      );
      create index backups_of_service on backups.backups (service_id, created_at desc);
      create index backups_due on backups.backups (created_at)
        where status in ('queued', 'running') or verification_status in ('pending', 'running');
      create index backups_expiring on backups.backups (expires_at) where status = 'succeeded';
      -- One at a time.
      create unique index backups_under_way on backups.backups (service_id) where status in ('queued', 'running');

      create table backups.policies (
        service_id   uuid        primary key,
        schedule     text,
        keep_daily   integer     not null check (keep_daily between 0 and 366),
        keep_weekly  integer     not null check (keep_weekly between 0 and 520),
        keep_monthly integer     not null check (keep_monthly between 0 and 120),
        verify       text        not null check (verify in ('always', 'weekly', 'never')),
        pitr         boolean     not null,
        next_run_at  timestamptz,
        updated_at   timestamptz not null,
        check ((schedule is null) = (next_run_at is null))
      );
      create index policies_due on backups.policies (next_run_at) where next_run_at is not null;

      create table backups.restores (
        id             uuid        primary key,
        backup_id      uuid        not null references backups.backups (id),
        service_id     uuid        not null,
        customer_id    uuid,
        target_id      uuid        not null,
        deployment_id  uuid,
        into_service   text        not null check (into_service in ('new', 'same')),
        -- The backup that is taken before the data of a service are replaced.
        safety_backup_id uuid      references backups.backups (id),
        status         text        not null check (status in ('queued', 'running', 'succeeded', 'failed')),
        error_message  text        check ((error_message is not null) = (status = 'failed')),
        actor          jsonb       not null,
        created_at     timestamptz not null,
        started_at     timestamptz,
        finished_at    timestamptz,
        worker         uuid,
        leased_until   timestamptz
      );
      create index restores_due on backups.restores (created_at) where status in ('queued', 'running');
      create index restores_of_backup on backups.restores (backup_id);
      create unique index restores_under_way on backups.restores (target_id) where status in ('queued', 'running');

      create function backups.follow_owner() returns trigger language plpgsql as $$
      begin
        update backups.backups set customer_id = new.customer_id where service_id = new.id;
        update backups.restores set customer_id = new.customer_id where service_id = new.id;
        return null;
      end $$;
      create trigger backups_follow_owner after update of customer_id on services.services
        for each row when (old.customer_id is distinct from new.customer_id) execute function backups.follow_owner();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop trigger backups_follow_owner on services.services; drop function backups.follow_owner();
      drop table backups.restores, backups.policies, backups.backups;
    `);
  }
}
