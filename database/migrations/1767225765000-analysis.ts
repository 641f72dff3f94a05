import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Analysis1767225765000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create schema analysis;

      create table analysis.analyses (
        id               uuid        primary key,
        -- Null for the panel's own.
        organisation_id  uuid        references panel_auth.organisations (id),
        git_host         text        not null check (git_host in ('github', 'gitlab', 'bitbucket', 'gitea')),
        repo_url         text        not null check (repo_url <> ''),
        branch           text,
        requested_commit text,
        commit_sha       text,
        status           text        not null check (status in ('queued', 'cloning', 'analyzing', 'completed', 'failed')),
        prompt_version   integer     not null check (prompt_version > 0),
        model            text        not null,
        attempts         integer     not null check (attempts >= 0),
        cancel_requested boolean     not null,
        error            jsonb       check ((error is not null) = (status = 'failed')),
        result           jsonb       check ((result is not null) = (status = 'completed')),
        created_at       timestamptz not null,
        completed_at     timestamptz check ((completed_at is not null) = (status in ('completed', 'failed'))),
        -- A worker's lease ends then, unless the worker renews it.
        leased_until     timestamptz
      );
      create index analyses_by_commit on analysis.analyses (repo_url, commit_sha) where status = 'completed';
      create index analyses_under_way on analysis.analyses (created_at)
        where status in ('queued', 'cloning', 'analyzing');
      create index analyses_by_organisation on analysis.analyses (organisation_id);

      -- Events of analyses for their subscribers.
      create table analysis.events (
        analysis_id uuid        not null references analysis.analyses (id) on delete cascade,
        seq         integer     not null check (seq > 0),
        type        text        not null,
        at          timestamptz not null,
        data        jsonb       not null,
        primary key (analysis_id, seq)
      );

      -- Token use of an organisation's analyses; the nil UUID is the panel's own.
      create table analysis.token_use (
        organisation_id uuid   not null,
        day             date   not null,
        tokens          bigint not null check (tokens >= 0),
        primary key (organisation_id, day)
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop schema analysis cascade');
  }
}
