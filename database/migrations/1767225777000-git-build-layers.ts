import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the steps of a build left on the engine, so that it goes with the image and nothing else does. */
export class GitBuildLayers1767225777000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query("alter table services.git_deployments add column layers text[] not null default '{}'");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table services.git_deployments drop column layers');
  }
}
