import type { MigrationInterface, QueryRunner } from 'typeorm';

export class KeptKeys1767225607500 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Keys of imported licenses that a license service elsewhere has not been told yet; sealed by SECRETS_KEYS.
      create table licensing.kept_keys (
        license_id uuid  primary key references licensing.licenses (id),
        sealed_key bytea not null
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table licensing.kept_keys');
  }
}
