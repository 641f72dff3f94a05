import type { MigrationInterface, QueryRunner } from 'typeorm';

export class KeyHandovers1767225605500 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Licenses whose key is not known to have reached its owner. A row is written with the license and goes away once
      -- the answer that holds the key was handed to the network; what is left by a process that died is a lost key.
      create table licensing.key_handovers (
        license_id uuid        primary key,
        issued_at  timestamptz not null,
        -- The process that answers; null when it could not.
        process    integer,
        -- Until then a repeat of the request may still ask for the key; null while nobody has looked.
        repeatable_until timestamptz
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table licensing.key_handovers');
  }
}
