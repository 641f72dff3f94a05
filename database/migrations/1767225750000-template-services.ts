import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Services made from templates: what they were made from, their secrets, and names on shared networks. */
export class TemplateServices1767225750000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table services.template_services (
        service_id       uuid        primary key references services.services (id) on delete cascade,
        template         text        not null check (template <> ''),
        service_name     text        not null check (service_name <> ''),
        database_name    text        not null,
        user_name        text        not null,
        -- The release series that wrote the data, without a registry: library/postgres:16-bookworm.
        image            text        not null check (image <> ''),
        server_version   text,
        -- Sealed, independent of the specification's version: a password belongs to the data, whatever is rolled back.
        secrets          bytea       not null,
        -- The password that a rotation is about to set; after a crash one of the two is valid.
        next_password    bytea,
        rotation_began_at timestamptz,
        created_at       timestamptz not null,
        updated_at       timestamptz not null,
        check ((next_password is null) = (rotation_began_at is null))
      );

      -- One row: names the network of services that belong to no organisation, where panels share an engine.
      create table services.installation (
        id              uuid    primary key default gen_random_uuid(),
        is_the_only_one boolean not null default true unique check (is_the_only_one)
      );
      insert into services.installation default values;

      create table services.network_names (
        network    text not null,
        name       text not null,
        service_id uuid not null references services.services (id) on delete cascade,
        constraint network_names_once primary key (network, name)
      );
      create index network_names_service on services.network_names (service_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'drop table services.network_names; drop table services.installation; drop table services.template_services',
    );
  }
}
