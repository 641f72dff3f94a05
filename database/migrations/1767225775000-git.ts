import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Deployments from repositories: what was asked for and built, the queue of builds, hooks and their deliveries. */
export class Git1767225775000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table services.git_deployments (
        deployment_id   uuid primary key references services.deployments (id) on delete cascade,
        service_id      uuid not null references services.services (id) on delete cascade,
        -- Null: the branch of the service.
        requested_ref   text check (requested_ref <> ''),
        -- Of the image, while it is kept.
        image_reference text,
        image_id        text,
        built_at        timestamptz,
        check ((image_reference is null) = (image_id is null) and (image_id is null) = (built_at is null))
      );
      create index git_deployments_images on services.git_deployments (service_id, built_at desc)
        where image_id is not null;

      -- Builds run in order of arrival. The lease uses the database's clock.
      create table services.build_queue (
        place            bigint      generated always as identity primary key,
        deployment_id    uuid        not null unique references services.deployments (id) on delete cascade,
        lease_expires_at timestamptz not null
      );

      create table services.git_hooks (
        service_id uuid        primary key references services.services (id) on delete cascade,
        hook_id    text        not null unique,
        secret     bytea       not null,
        created_at timestamptz not null,
        rotated_at timestamptz
      );

      create table services.hook_deliveries (
        id            uuid        primary key,
        service_id    uuid        not null references services.services (id) on delete cascade,
        provider      text        not null,
        event         text        not null,
        ref           text,
        commit_sha    text,
        outcome       text        not null,
        message       text,
        deployment_id uuid        references services.deployments (id) on delete set null,
        received_at   timestamptz not null
      );
      create index hook_deliveries_newest on services.hook_deliveries (service_id, received_at desc, id desc);
      -- However often a push is delivered, its commit is deployed once.
      create unique index hook_deliveries_once on services.hook_deliveries (service_id, commit_sha)
        where outcome = 'deployed';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table services.hook_deliveries;
      drop table services.git_hooks;
      drop table services.build_queue;
      drop table services.git_deployments;
    `);
  }
}
