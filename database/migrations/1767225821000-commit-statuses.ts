import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What is told to Git hosts of the deployments of commits. */
export class CommitStatuses1767225821000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table services.git_host_settings
        add column status_provider text check (status_provider in ('github', 'gitlab', 'gitea', 'bitbucket')),
        add column sealed_token bytea,
        -- Of deployments from before, nothing is told.
        add column status_since timestamptz,
        add check ((sealed_token is null) = (status_since is null));

      create table services.commit_statuses (
        deployment_id   uuid        primary key references services.deployments (id) on delete cascade,
        -- The state that is being told, and the last one that the host took.
        wanted          text        not null,
        told            text,
        attempts        integer     not null,
        -- While a worker is telling it, the end of its lease.
        next_attempt_at timestamptz not null,
        error           text,
        changed_at      timestamptz not null
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table services.commit_statuses;
      alter table services.git_host_settings
        drop column status_provider, drop column sealed_token, drop column status_since;
    `);
  }
}
