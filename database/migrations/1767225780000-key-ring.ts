import type { MigrationInterface, QueryRunner } from 'typeorm';

export class KeyRing1767225780000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- A value that only the key ring of this installation opens: a process with another ring refuses to start.
      create table platform.key_ring (
        only_row boolean primary key default true check (only_row),
        proof    bytea   not null
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table platform.key_ring');
  }
}
