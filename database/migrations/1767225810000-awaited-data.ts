import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AwaitedData1767225810000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Of a service that a restore has made, until its data are there.
      alter table services.template_services add column awaits_data_since timestamptz;
      update services.template_services t set awaits_data_since = r.created_at from backups.restores r
       where r.target_id = t.service_id and r.into_service = 'new' and r.status in ('queued', 'running');
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table services.template_services drop column awaits_data_since');
  }
}
