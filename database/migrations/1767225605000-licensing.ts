import type { MigrationInterface, QueryRunner } from 'typeorm';
import { listMarks } from './list-marks.js';

export class Licensing1767225605000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(LICENSES);
    await runner.query(STATES);
    await runner.query(LEDGER);
    await runner.query(OWNERSHIP);
    await runner.query(LISTS);
    await runner.query(listMarks({ schema: 'licensing', time: 'issued_at', id: 'license_id' }));
    await runner.query(IMPORTS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop schema licensing cascade');
  }
}

const LICENSES = `
  create schema licensing;
  create extension if not exists btree_gist;
  create sequence licensing.license_numbers;
  create sequence licensing.transfer_numbers;

  create table licensing.licenses (
    id                   uuid        primary key,
    number               bigint      not null unique,
    -- Customer and contract belong to this partner, so the partner exists.
    partner_id           uuid        not null,
    customer_id          uuid        not null,
    contract_id          uuid        not null,
    upstream_license_id  uuid        not null unique,
    key_masked           text        not null,
    edition              text        not null,
    state                text        not null
      check (state in ('active', 'trial', 'suspended', 'terminated', 'expired')),
    suspended_from       text        check (suspended_from in ('active', 'trial')),
    expires_on           date,
    external_billing_ref text        not null,
    metadata             text        not null default '',
    issued_at            timestamptz not null,
    terminated_at        timestamptz,
    last_transfer_on     date,
    owner_sequence       integer     not null,
    last_operation_id    uuid,
    -- The end of the license's hash chain, to detect a truncated tail.
    ledger_length        integer     not null,
    ledger_head          bytea       not null,
    check ((state = 'suspended') = (suspended_from is not null)),
    check ((state = 'terminated') = (terminated_at is not null)),
    constraint licenses_customer_fkey
      foreign key (customer_id, partner_id) references customers.customers (id, partner_id),
    constraint licenses_contract_fkey
      foreign key (contract_id, partner_id) references billing.contracts (id, partner_id)
    -- Free space on each page for new row versions, which then need no index update (heap-only tuples).
  ) with (fillfactor = 85);
  create index licenses_partner on licensing.licenses (partner_id, issued_at desc, id desc);
  create index licenses_customer on licensing.licenses (customer_id, issued_at desc, id desc);
  create index licenses_contract on licensing.licenses (contract_id, issued_at desc, id desc);
  create index licenses_billing_ref on licensing.licenses (external_billing_ref, issued_at desc, id desc)
    where external_billing_ref <> '';
  create index licenses_edition on licensing.licenses (edition, issued_at desc, id desc);

  -- Licenses being issued: a key may exist at the license service without a license. No read shows them.
  create table licensing.reservations (
    license_id           uuid        primary key,
    attempt_id           uuid        not null,
    number               bigint,
    partner_id           uuid,
    customer_id          uuid,
    contract_id          uuid,
    upstream_license_id  uuid        not null,
    edition              text,
    state                text        check (state in ('active', 'trial')),
    expires_on           date,
    draws_from_pack      boolean,
    external_billing_ref text,
    actor                text,
    reserved_at          timestamptz not null,
    -- The process that works on it; null when none does.
    process              integer,
    undone_at            timestamptz,
    -- A reservation that was undone no longer describes its license.
    constraint reservations_whole_or_undone check (
      (num_nulls(number, partner_id, customer_id, contract_id, edition, state, draws_from_pack, external_billing_ref) = 0
       and undone_at is null)
      or (num_nonnulls(number, partner_id, customer_id, contract_id, edition, state, draws_from_pack,
       external_billing_ref) = 0 and undone_at is not null)),
    constraint reservations_customer_fkey
      foreign key (customer_id, partner_id) references customers.customers (id, partner_id),
    constraint reservations_contract_fkey
      foreign key (contract_id, partner_id) references billing.contracts (id, partner_id)
  );
  create index reservations_contract on licensing.reservations (contract_id) where contract_id is not null;
  comment on table licensing.reservations is 'Where a key may exist at the license service that no license has';
  comment on column licensing.reservations.undone_at is
    'When its key was revoked, if there was one: a call that was still on its way may have made one since';

  -- A change that the license service may already have made, but the license has not: at most one per license.
  create table licensing.pending_changes (
    license_id   uuid        primary key references licensing.licenses (id),
    change_id    uuid        not null,
    call         text        not null check (call in ('suspend', 'resume', 'terminate', 'edition')),
    edition      text,
    actor        text,
    requested_at timestamptz not null,
    operation_id uuid,
    process      integer,
    check ((edition is not null) = (call = 'edition'))
  );

  -- Licenses whose current state must still be sent to the license service.
  create table licensing.upstream_syncs (
    license_id   uuid        primary key references licensing.licenses (id),
    -- New with every request, so that a request during a running call is not lost.
    request_id   uuid        not null,
    due_at       timestamptz not null,
    attempts     integer     not null
  );
  create index upstream_syncs_due on licensing.upstream_syncs (due_at);

  -- Licenses whose key may not have reached its owner. Written with the license and deleted once the response with the
  -- key was sent; a row left by a dead process means a lost key.
  create table licensing.key_handovers (
    license_id uuid        primary key,
    issued_at  timestamptz not null,
    -- The process that sends the response; null if it failed.
    process    integer,
    -- Until then a repeat of the request may still ask for the key; null until checked.
    repeatable_until timestamptz
  );

  -- Keys of imported licenses that must still be sent to a remote license service; sealed with SECRETS_KEYS.
  create table licensing.kept_keys (
    license_id uuid  primary key references licensing.licenses (id),
    sealed_key bytea not null
  );
`;

const STATES = `
  -- Most licenses are active and found by scanning the list; this finds the others. An index on licenses.state would
  -- do the same, but each change of state would then write to all ten indexes of the table.
  create table licensing.unlike_active (
    state      text        not null,
    issued_at  timestamptz not null,
    license_id uuid        not null,
    -- Of a trial.
    ends_on    date,
    primary key (state, issued_at, license_id)
  );
  create index unlike_active_trial_end on licensing.unlike_active (ends_on) where ends_on is not null;

  create function licensing.note_state() returns trigger language plpgsql as $$
  begin
    if tg_op = 'UPDATE' and old.state <> 'active' then
      delete from licensing.unlike_active
       where state = old.state and issued_at = old.issued_at and license_id = old.id;
    end if;
    if new.state <> 'active' then
      insert into licensing.unlike_active (state, issued_at, license_id, ends_on)
      values (new.state, new.issued_at, new.id, case new.state when 'trial' then new.expires_on end);
    end if;
    return null;
  end $$;
  create trigger note_state after insert on licensing.licenses
    for each row when (new.state <> 'active') execute function licensing.note_state();
  create trigger note_change after update of state, expires_on, issued_at on licensing.licenses
    for each row when ((old.state, old.expires_on, old.issued_at) is distinct from
                       (new.state, new.expires_on, new.issued_at))
    execute function licensing.note_state();
`;

const LEDGER = `
  create table licensing.ledger_events (
    id            bigint      generated always as identity primary key,
    license_id    uuid        not null references licensing.licenses (id),
    position      integer     not null check (position > 0),
    event         text        not null,
    at            timestamptz not null,
    actor         text,
    customer_id   uuid,
    data          json        not null,
    previous_hash bytea       not null check (length(previous_hash) = 32),
    hash          bytea       not null check (length(hash) = 32),
    unique (license_id, position)
  );
  create index ledger_events_customer on licensing.ledger_events (customer_id, at desc, id desc);
  -- Events from before customers existed are found through their license.
  create index ledger_events_without_customer on licensing.ledger_events (license_id, at desc, id desc)
    where customer_id is null;

  create function licensing.refuse_ledger_change() returns trigger language plpgsql as $$
  begin
    raise exception 'the ledger is append-only: % is not possible', tg_op using errcode = 'insufficient_privilege';
  end $$;
  create trigger ledger_is_append_only before update or delete or truncate on licensing.ledger_events
    for each statement execute function licensing.refuse_ledger_change();
`;

const OWNERSHIP = `
  -- Who pays for which days of a license; the exclusion constraint makes two owners of one day impossible.
  create table licensing.ownership_spans (
    license_id  uuid      not null references licensing.licenses (id),
    contract_id uuid      not null references billing.contracts (id),
    days        daterange not null check (not isempty(days)),
    opened_by   bigint    not null references licensing.ledger_events (id),
    closed_by   bigint    references licensing.ledger_events (id),
    check (upper_inf(days) = (closed_by is null)),
    constraint ownership_spans_days_excl exclude using gist (license_id with =, days with &&)
  );
  create index ownership_spans_contract on licensing.ownership_spans (contract_id, license_id, lower(days));
  create unique index ownership_spans_open on licensing.ownership_spans (license_id) where upper_inf(days);

  -- A license draws a slot of a pack once and permanently.
  create table licensing.pack_draws (
    contract_id uuid   not null references billing.contracts (id),
    license_id  uuid   not null references licensing.licenses (id),
    drawn_on    date   not null,
    event_id    bigint not null references licensing.ledger_events (id),
    primary key (contract_id, license_id)
  );

  create table licensing.transfers (
    id               uuid        primary key,
    number           bigint      not null unique default nextval('licensing.transfer_numbers'),
    license_id       uuid        not null references licensing.licenses (id),
    from_partner_id  uuid        not null references partners.partners (id),
    from_customer_id uuid        not null references customers.customers (id),
    from_contract_id uuid        not null references billing.contracts (id),
    to_partner_id    uuid        not null references partners.partners (id),
    to_customer_id   uuid        not null references customers.customers (id),
    to_contract_id   uuid        not null references billing.contracts (id),
    reason           text        not null,
    effective_date   date        not null,
    metadata_sync    text        not null check (metadata_sync in ('pending', 'synced', 'failed')),
    owner_sequence   integer     not null,
    created_by       uuid,
    created_at       timestamptz not null,
    unique (license_id, owner_sequence)
  );
  create index transfers_license on licensing.transfers (license_id, created_at desc, id desc);
`;

const LISTS = `
  -- One row per license and partner that may see it (its own and every ancestor), in the order of the list: the first
  -- page of the root and of a leaf are the same short index scan.
  create table licensing.subtree_index (
    ancestor_id uuid        not null,
    issued_at   timestamptz not null,
    license_id  uuid        not null,
    primary key (ancestor_id, issued_at, license_id)
  );

  create table licensing.transfer_index (
    ancestor_id uuid        not null,
    created_at  timestamptz not null,
    transfer_id uuid        not null,
    primary key (ancestor_id, created_at, transfer_id)
  );
`;

const IMPORTS = `
  -- Every line ever imported, so that a file can be imported again: a known ref with the same content is skipped, with
  -- other content refused. Later files refer to earlier records by it.
  create table licensing.imported_lines (
    type        text        not null
      check (type in ('partner', 'contract', 'customer', 'contact', 'license', 'event', 'transfer')),
    ref         text        not null,
    -- SHA-256 of the line's contents, regardless of key order.
    line_hash   bytea       not null check (length(line_hash) = 32),
    -- The record created from the line; null for an event.
    record_id   uuid,
    imported_at timestamptz not null,
    primary key (type, ref),
    check ((record_id is null) = (type = 'event'))
  );
`;
