import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Import1767225607000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Every line that was ever imported, so that a file can be imported again: a line whose ref is here is skipped when
      -- it says the same, and refused when it does not. Also how later files name what earlier ones brought.
      create table licensing.imported_lines (
        type        text        not null
          check (type in ('partner', 'contract', 'customer', 'contact', 'license', 'event', 'transfer')),
        ref         text        not null,
        -- SHA-256 of what the line says, whatever the order of its keys.
        line_hash   bytea       not null check (length(line_hash) = 32),
        -- The record that the line became; an event has none that could be named.
        record_id   uuid,
        imported_at timestamptz not null,
        primary key (type, ref),
        check ((record_id is null) = (type = 'event'))
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table licensing.imported_lines');
  }
}
