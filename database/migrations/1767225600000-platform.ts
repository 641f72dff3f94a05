import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Platform1767225600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create schema platform;

      create table platform.idempotent_answers (
        key_hash    bytea       primary key,
        fingerprint bytea       not null,
        -- Null while the request is not answered: only a request that can be resumed is recorded before its effect.
        status      smallint,
        sealed_body bytea,
        headers     jsonb       not null,
        expires_at  timestamptz not null,
        operation_id uuid,
        process     integer,
        check (status is not null or operation_id is not null)
      );
      create index idempotent_answers_expiry on platform.idempotent_answers (expires_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop schema platform cascade');
  }
}
