import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Services that the panel runs for itself, such as the bundled language model: one for each purpose. */
export class OwnServices1767225778000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table services.own_services (
        purpose    text    primary key,
        service_id uuid    not null unique references services.services (id) on delete cascade,
        role       text    not null,
        port       integer not null check (port between 1 and 65535),
        details    jsonb   not null
      )
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table services.own_services');
  }
}
