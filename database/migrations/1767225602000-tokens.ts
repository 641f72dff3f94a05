import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Tokens1767225602000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create schema tokens;

      create table tokens.api_tokens (
        id           uuid        primary key,
        partner_id   uuid        not null references partners.partners (id),
        label        text        not null,
        token_prefix text        not null,
        token_hash   bytea       not null unique check (length(token_hash) = 32),
        scope        text        not null check (scope in ('read', 'write')),
        created_by   uuid        not null,
        created_at   timestamptz not null,
        last_used_at timestamptz,
        revoked_at   timestamptz
      );
      create index api_tokens_partner on tokens.api_tokens (partner_id, created_at desc, id desc);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop schema tokens cascade');
  }
}
