import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ServiceFeed1767225731000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Numbers are given before they are committed: who reads waits for those that are missing. A row outlives its
      -- service, whose removal is told as well; old ones are cleared away.
      create table services.feed (
        seq           bigint      generated always as identity primary key,
        type          text        not null check (type <> ''),
        service_id    uuid        not null,
        customer_id   uuid,
        deployment_id uuid,
        data          jsonb       not null,
        at            timestamptz not null,
        -- By the clock of the database, for clearing away alone.
        stored_at     timestamptz not null default now()
      );
      create index feed_service on services.feed (service_id, seq);
      create index feed_stored on services.feed using brin (stored_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table services.feed');
  }
}
