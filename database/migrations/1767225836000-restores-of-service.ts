import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The page of a service lists the restores of its backups and those into it. */
export class RestoresOfService1767225836000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create index restores_of_service on backups.restores (service_id);
      create index restores_into_service on backups.restores (target_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index backups.restores_of_service; drop index backups.restores_into_service');
  }
}
