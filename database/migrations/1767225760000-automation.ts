import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Automation1767225760000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create schema automation;

      -- Changes that were described to an agent and can be applied once, by the same key, within ten minutes.
      create table automation.change_plans (
        id             uuid        primary key,
        api_key_id     uuid        not null references panel_auth.api_keys (id) on delete cascade,
        kind           text        not null check (kind in ('compose', 'template', 'git', 'update', 'restore')),
        -- The state on which the plan is based; if it has changed, the plan is no longer valid.
        basis          text        not null,
        sealed_request bytea       not null,
        created_at     timestamptz not null,
        expires_at     timestamptz not null check (expires_at > created_at),
        applied_at     timestamptz
      );
      create index change_plans_by_expiry on automation.change_plans (expires_at);
      create index change_plans_by_key on automation.change_plans (api_key_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop schema automation cascade');
  }
}
