import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What is wrong with the backups of a service: `{code, message, at}`, or null. */
export class BackupAlarms1767225848000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table services.template_services add column alarm jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table services.template_services drop column alarm');
  }
}
