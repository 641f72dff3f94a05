import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ServiceFeed1767225731000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Outlives its service: the removal is told as well. Old rows are cleared away.
      create table services.feed (
        seq           bigint      generated always as identity primary key,
        -- Numbers are given before they are committed: readers stay behind the oldest transaction that still runs.
        tx            xid8        not null default pg_current_xact_id(),
        type          text        not null check (type <> ''),
        service_id    uuid        not null,
        customer_id   uuid,
        deployment_id uuid,
        data          jsonb       not null,
        at            timestamptz not null,
        -- By the clock of the database, for clearing away alone.
        stored_at     timestamptz not null default now()
      );
      create index feed_tx on services.feed (tx, seq);
      create index feed_service on services.feed (service_id, seq);
      create index feed_stored on services.feed using brin (stored_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table services.feed');
  }
}
