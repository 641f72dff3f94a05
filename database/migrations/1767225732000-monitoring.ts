import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Monitoring1767225732000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Which worker looks at the engine, and whether it answered at the last look. By the clock of the database.
      create table services.collectors (
        engine           text        primary key,
        holder           uuid        not null,
        lease_expires_at timestamptz not null,
        answers          boolean     not null default false
      ) with (fillfactor = 50);

      -- The tables below do not refer to services.services: a look at 500 services would lock each of their rows. They
      -- are deleted with the service, and what a look of that very moment leaves behind is cleared away.
      -- stored_at is by the clock of the database, which all processes share: by it a look is fresh or not.
      create table services.metrics_now (
        service_id    uuid             primary key,
        sampled_at    timestamptz      not null,
        stored_at     timestamptz      not null,
        cpu_pct       double precision not null,
        ram_pct       double precision not null,
        current       json             not null,
        containers    json             not null,
        -- Lists of the same length, oldest first, ready for the answer; how long before stored_at each point began, in
        -- seconds, and how many samples it is the average of.
        cpu_spark     json             not null,
        ram_spark     json             not null,
        spark_ages    json             not null,
        spark_samples json             not null
      ) with (fillfactor = 50);

      create table services.metrics_samples (
        service_id uuid             not null,
        at         timestamptz      not null,
        cpu_pct    real             not null,
        ram_pct    real             not null,
        rx_bps     double precision not null,
        tx_bps     double precision not null,
        primary key (service_id, at)
      );

      create table services.metrics_minutes (
        service_id uuid             not null,
        minute     timestamptz      not null,
        samples    integer          not null check (samples > 0),
        cpu_sum    double precision not null,
        ram_sum    double precision not null,
        rx_sum     double precision not null,
        tx_sum     double precision not null,
        primary key (service_id, minute)
      ) with (fillfactor = 80);

      create table services.health (
        service_id      uuid        primary key,
        status          text        not null check (status in ('healthy', 'unhealthy', 'starting', 'none')),
        checked_at      timestamptz not null,
        stored_at       timestamptz not null,
        containers      json        not null,
        attempts        integer     not null default 0,
        last_attempt_at timestamptz,
        next_attempt_at timestamptz,
        unhealthy_looks integer     not null default 0,
        healthy_since   timestamptz
      ) with (fillfactor = 50);

      create table services.disk_usage (
        service_id  uuid        primary key,
        measured_at timestamptz not null,
        stored_at   timestamptz not null,
        total_bytes bigint      not null check (total_bytes >= 0),
        volumes     json        not null,
        containers  json        not null,
        images      json        not null
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table services.disk_usage, services.health, services.metrics_minutes, services.metrics_samples,
        services.metrics_now, services.collectors
    `);
  }
}
