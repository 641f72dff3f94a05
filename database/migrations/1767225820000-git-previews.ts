import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Previews of pull requests, and what a service has chosen about them. */
export class GitPreviews1767225820000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table services.git_host_settings (
        service_id        uuid    primary key references services.services (id) on delete cascade,
        previews          boolean not null default false,
        preview_hours     integer not null default 72 check (preview_hours between 1 and 720),
        -- Names of the variables of the service that its previews get too.
        preview_variables text[]  not null default '{}'
      );

      create table services.previews (
        service_id   uuid        primary key references services.services (id) on delete cascade,
        -- No foreign key: the row has to say what became of its parent until the worker has removed the preview.
        parent_id    uuid        not null,
        pull_request integer     not null check (pull_request > 0),
        expires_at   timestamptz not null,
        -- Set when it is no longer wanted; its service is removed soon after.
        closed_at    timestamptz
      );
      create unique index previews_one_open on services.previews (parent_id, pull_request) where closed_at is null;

      -- A commit of a pull request may be pushed to the branch of the service later: that is another deployment.
      alter table services.hook_deliveries add column pull_request integer;
      drop index services.hook_deliveries_once;
      create unique index hook_deliveries_once on services.hook_deliveries (service_id, commit_sha)
        where outcome = 'deployed' and redelivery_of is null and pull_request is null;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      delete from services.hook_deliveries where pull_request is not null;
      drop index services.hook_deliveries_once;
      alter table services.hook_deliveries drop column pull_request;
      create unique index hook_deliveries_once on services.hook_deliveries (service_id, commit_sha)
        where outcome = 'deployed' and redelivery_of is null;
      drop table services.previews;
      drop table services.git_host_settings;
    `);
  }
}
