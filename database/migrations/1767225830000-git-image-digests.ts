import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The manifest of a built image in the registry, by which it is removed there. */
export class GitImageDigests1767225830000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table services.git_deployments add column image_digest text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table services.git_deployments drop column image_digest');
  }
}
