import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Platform1767225600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create schema platform;

      create table platform.idempotent_answers (
        key_hash    bytea       primary key,
        fingerprint bytea       not null,
        -- Null until the request is answered: only resumable requests are recorded before their effect.
        status      smallint,
        sealed_body bytea,
        headers     jsonb       not null,
        expires_at  timestamptz not null,
        operation_id uuid,
        process     integer,
        check (status is not null or operation_id is not null)
      );
      create index idempotent_answers_expiry on platform.idempotent_answers (expires_at);

      -- For set statements that are committed before their results are read: a missing row is an
      -- error. Stable, so that it is evaluated once and before any row.
      create function platform.all_of(met bigint, asked bigint) returns boolean stable language plpgsql as $$
      begin
        if met <> asked then
          raise exception '% of % are as they were read', met, asked using errcode = 'TN001';
        end if;
        return true;
      end $$;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop schema platform cascade');
  }
}
