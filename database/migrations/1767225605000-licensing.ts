import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Licensing1767225605000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(LICENSES);
    await runner.query(LEDGER);
    await runner.query(OWNERSHIP);
    await runner.query(LISTS);
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
    partner_id           uuid        not null references partners.partners (id),
    customer_id          uuid        not null references customers.customers (id),
    contract_id          uuid        not null references billing.contracts (id),
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
    -- The end of the license's chain in the ledger, so that a cut-off tail shows as well.
    ledger_length        integer     not null,
    ledger_head          bytea       not null,
    check ((state = 'suspended') = (suspended_from is not null)),
    check ((state = 'terminated') = (terminated_at is not null))
  );
  create index licenses_partner on licensing.licenses (partner_id, issued_at desc, id desc);
  create index licenses_customer on licensing.licenses (customer_id, issued_at desc, id desc);
  create index licenses_contract on licensing.licenses (contract_id, issued_at desc, id desc);
  create index licenses_billing_ref on licensing.licenses (external_billing_ref, issued_at desc, id desc)
    where external_billing_ref <> '';
  -- What most licenses are is found by walking the list; these are for what few are.
  create index licenses_state on licensing.licenses (state, issued_at desc, id desc) where state <> 'active';
  create index licenses_edition on licensing.licenses (edition, issued_at desc, id desc);
  create index licenses_trial_end on licensing.licenses (expires_on) where state = 'trial';

  -- A license that is being issued: its key is not made yet, or not known to be made. No read shows it.
  create table licensing.reservations (
    license_id           uuid        primary key,
    attempt_id           uuid        not null,
    number               bigint      not null,
    partner_id           uuid        not null references partners.partners (id),
    customer_id          uuid        not null references customers.customers (id),
    contract_id          uuid        not null references billing.contracts (id),
    upstream_license_id  uuid        not null unique,
    edition              text        not null,
    state                text        not null check (state in ('active', 'trial')),
    expires_on           date,
    draws_from_pack      boolean     not null,
    external_billing_ref text        not null,
    actor                text,
    reserved_at          timestamptz not null,
    -- The process that works on it; null when none does.
    process              integer
  );
  create index reservations_contract on licensing.reservations (contract_id);
  create index reservations_customer on licensing.reservations (customer_id);

  -- A change that the license service may know already and the license does not: at most one per license.
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

  -- Licenses of which the license service must be told the present truth.
  create table licensing.upstream_syncs (
    license_id   uuid        primary key references licensing.licenses (id),
    -- Another value with every request, so that one that comes during a call is not lost with it.
    request_id   uuid        not null,
    due_at       timestamptz not null,
    attempts     integer     not null
  );
  create index upstream_syncs_due on licensing.upstream_syncs (due_at);
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
  -- Who pays for which days of a license; the exclusion is what makes two owners of one day impossible.
  create table licensing.ownership_spans (
    license_id  uuid      not null references licensing.licenses (id),
    contract_id uuid      not null references billing.contracts (id),
    days        daterange not null check (not isempty(days)),
    opened_by   bigint    not null references licensing.ledger_events (id),
    closed_by   bigint    references licensing.ledger_events (id),
    exclude using gist (license_id with =, days with &&),
    check (upper_inf(days) = (closed_by is null))
  );
  create index ownership_spans_contract on licensing.ownership_spans (contract_id, license_id, lower(days));
  create unique index ownership_spans_open on licensing.ownership_spans (license_id) where upper_inf(days);

  -- A license draws a slot of a pack once, and for good.
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

  -- Every so many rows of a subtree's list its position, counted from the oldest: an offset, however deep, begins at
  -- the nearest mark. Marks are set in the background up to the horizon; whoever adds or removes a row at or before
  -- the horizon leaves a shift, which readers add to the marks and the background folds into them.
  create table licensing.list_marks (
    ancestor_id uuid        not null,
    position    bigint      not null,
    issued_at   timestamptz not null,
    license_id  uuid        not null,
    primary key (ancestor_id, issued_at, license_id)
  );
  create index list_marks_position on licensing.list_marks (ancestor_id, position);

  create table licensing.list_shifts (
    ancestor_id uuid        not null,
    issued_at   timestamptz not null,
    license_id  uuid        not null,
    shift       smallint    not null check (shift in (-1, 1))
  );
  create index list_shifts_ancestor on licensing.list_shifts (ancestor_id);

  create table licensing.list_horizon (
    only_row  boolean     primary key default true check (only_row),
    issued_at timestamptz not null
  );
  insert into licensing.list_horizon (issued_at) values ('-infinity');

  create function licensing.note_list_shift() returns trigger language plpgsql as $$
  begin
    insert into licensing.list_shifts (ancestor_id, issued_at, license_id, shift)
    select c.ancestor_id, c.issued_at, c.license_id, case tg_op when 'INSERT' then 1 else -1 end
      from changed c where c.issued_at <= (select h.issued_at from licensing.list_horizon h);
    return null;
  end $$;
  create trigger note_added after insert on licensing.subtree_index
    referencing new table as changed for each statement execute function licensing.note_list_shift();
  create trigger note_removed after delete on licensing.subtree_index
    referencing old table as changed for each statement execute function licensing.note_list_shift();

  -- Where to begin for the rows after the newest 'skipped': the key at or below which they lie, and how many rows from
  -- there are still to be skipped. Stable: all of it is one moment, that of the calling query.
  create function licensing.list_start(ancestor uuid, skipped bigint,
      out issued_at timestamptz, out license_id uuid, out remaining bigint)
    language plpgsql stable as $$
  declare
    last licensing.list_marks;
    mark licensing.list_marks;
    newer bigint;
    wanted bigint;
    uncertain bigint;
  begin
    issued_at := 'infinity';
    license_id := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
    remaining := skipped;
    select m.* into last from licensing.list_marks m
      where m.ancestor_id = ancestor order by m.issued_at desc, m.license_id desc limit 1;
    if not found then return; end if;
    select count(*) into newer from licensing.subtree_index i
      where i.ancestor_id = ancestor and (i.issued_at, i.license_id) > (last.issued_at, last.license_id);
    if skipped < newer then return; end if;
    select count(*) into uncertain from licensing.list_shifts s where s.ancestor_id = ancestor;
    -- The position, from the oldest, of the first row that is wanted.
    wanted := newer - skipped + last.position + coalesce((select sum(s.shift) from licensing.list_shifts s
      where s.ancestor_id = ancestor and (s.issued_at, s.license_id) <= (last.issued_at, last.license_id)), 0);
    for mark in select m.* from licensing.list_marks m
        where m.ancestor_id = ancestor and m.position >= wanted - uncertain order by m.position loop
      remaining := mark.position - wanted + coalesce((select sum(s.shift) from licensing.list_shifts s
        where s.ancestor_id = ancestor and (s.issued_at, s.license_id) <= (mark.issued_at, mark.license_id)), 0);
      issued_at := mark.issued_at;
      license_id := mark.license_id;
      exit when remaining >= 0;
    end loop;
  end $$;

  create table licensing.transfer_index (
    ancestor_id uuid        not null,
    created_at  timestamptz not null,
    transfer_id uuid        not null,
    primary key (ancestor_id, created_at, transfer_id)
  );
`;
