import type { MigrationInterface, QueryRunner } from 'typeorm';
import { listMarks } from './list-marks.js';

export class Customers1767225603000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create schema customers;
      create extension if not exists pg_trgm;
      create sequence customers.customer_numbers;
      create sequence customers.contact_numbers;

      create table customers.customers (
        id                  uuid        primary key,
        number              bigint      not null unique,
        partner_id          uuid        not null references partners.partners (id),
        external_ref        text        not null,
        name                text        not null check (name <> ''),
        legal_name          text        not null,
        vat_id              text        not null,
        email               text        not null,
        phone               text        not null,
        billing_street      text        not null,
        billing_postal_code text        not null,
        billing_city        text        not null,
        billing_region      text        not null,
        billing_country     text        not null check (billing_country ~ '^([A-Z]{2})?$'),
        postal_street       text        not null,
        postal_postal_code  text        not null,
        postal_city         text        not null,
        postal_region       text        not null,
        postal_country      text        not null check (postal_country ~ '^([A-Z]{2})?$'),
        website             text        not null,
        owner_email         text        not null,
        status              text        not null check (status in ('prospect', 'active', 'suspended', 'churned')),
        created_at          timestamptz not null,
        deleted_at          timestamptz,
        -- For foreign keys to a customer together with its partner.
        constraint customers_of_partner unique (id, partner_id)
      );
      create index customers_partner on customers.customers (partner_id, created_at, id) where deleted_at is null;
      create index customers_external_ref on customers.customers (external_ref) where deleted_at is null;

      create index customers_status on customers.customers (status, created_at, id)
        where deleted_at is null and status <> 'active';
      -- Substrings of the searched customer columns. A substring of one or two characters has no trigram.
      create index customers_words on customers.customers
        using gin (name gin_trgm_ops, legal_name gin_trgm_ops, email gin_trgm_ops, external_ref gin_trgm_ops)
        where deleted_at is null;

      -- Every customer once per ancestor of its partner (including the partner itself): "newest first in my
      -- subtree" is one range of this key, whatever the size and depth of the tree. Derived from customers and
      -- partners.subtrees, with which it is written (also by partners move); hence no foreign keys to check.
      create table customers.subtree_index (
        ancestor_id uuid        not null,
        created_at  timestamptz not null,
        customer_id uuid        not null,
        primary key (ancestor_id, created_at, customer_id)
      );

      create table customers.contacts (
        id          uuid        primary key,
        number      bigint      not null unique,
        customer_id uuid        not null references customers.customers (id),
        first_name  text        not null,
        last_name   text        not null,
        title       text        not null,
        email       text        not null,
        phone       text        not null,
        locale      text        not null,
        notes       text        not null,
        is_primary  boolean     not null,
        created_at  timestamptz not null,
        updated_at  timestamptz not null,
        check (first_name <> '' or last_name <> '')
      );
      create index contacts_customer on customers.contacts (customer_id, created_at, id);
      create unique index contacts_one_primary on customers.contacts (customer_id) where is_primary;

      create table customers.notes (
        id          bigint      primary key generated always as identity,
        customer_id uuid        not null references customers.customers (id),
        author      text        not null check (author <> ''),
        body        text        not null check (body <> ''),
        at          timestamptz not null
      );
      create index notes_customer on customers.notes (customer_id, at, id);

      create function customers.refuse_note_change() returns trigger language plpgsql as $$
      begin
        raise exception 'customers.notes is append-only: % refused', tg_op using errcode = 'restrict_violation';
      end $$;
      create trigger notes_append_only before update or delete or truncate on customers.notes
        for each statement execute function customers.refuse_note_change();
    `);
    await runner.query(listMarks({ schema: 'customers', time: 'created_at', id: 'customer_id' }));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop schema customers cascade');
  }
}
