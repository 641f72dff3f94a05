import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Deliveries that somebody had delivered once more: they may deploy a commit again. */
export class GitRedelivery1767225776000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table services.hook_deliveries
        add column redelivery_of uuid references services.hook_deliveries (id) on delete set null;
      drop index services.hook_deliveries_once;
      create unique index hook_deliveries_once on services.hook_deliveries (service_id, commit_sha)
        where outcome = 'deployed' and redelivery_of is null;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      delete from services.hook_deliveries where redelivery_of is not null;
      drop index services.hook_deliveries_once;
      alter table services.hook_deliveries drop column redelivery_of;
      create unique index hook_deliveries_once on services.hook_deliveries (service_id, commit_sha)
        where outcome = 'deployed';
    `);
  }
}
