import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Billing1767225604000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(CONTRACTS);
    await runner.query(STATEMENTS);
    await runner.query(FIGURES);
    await runner.query(RECORDS);
    await runner.query(LOCKS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop schema billing cascade');
  }
}

const CONTRACTS = `
  create schema billing;

  create table billing.contracts (
    id               uuid        primary key,
    partner_id       uuid        not null references partners.partners (id),
    reference        text        not null check (reference <> ''),
    model            text        not null check (model in
      ('per_instance_metered', 'flat_unlimited', 'flat_capped', 'prepaid_pack', 'trial', 'not_for_resale')),
    currency         text        not null check (currency ~ '^[A-Z]{3}$'),
    unit_price_cents bigint      not null check (unit_price_cents >= 0),
    valid_from       date        not null,
    valid_to         date,
    license_cap      integer     check (license_cap > 0),
    pack_size        integer     check (pack_size > 0),
    editions         text[]      not null,
    created_at       timestamptz not null,
    check (valid_to >= valid_from),
    check (license_cap is null or model = 'flat_capped'),
    check ((pack_size is not null) = (model = 'prepaid_pack')),
    -- For foreign keys to a contract together with its partner.
    constraint contracts_of_partner unique (id, partner_id)
  );
  create index contracts_partner on billing.contracts (partner_id, created_at desc, id desc);
`;

const STATEMENTS = `
  -- Figures have their own number: a recomputed draft points to new ones.
  create sequence billing.figures_numbers;

  create table billing.statements (
    id                      uuid        primary key,
    partner_id              uuid        not null references partners.partners (id),
    period_start            date        not null check (extract(day from period_start) = 1),
    revision                integer     not null check (revision > 0),
    status                  text        not null check (status in ('draft', 'finalized', 'superseded')),
    figures                 bigint      not null unique,
    -- The draft's previous figures: kept until the next computation, for readers in progress.
    previous_figures        bigint,
    computed_at             timestamptz not null,
    figures_hash            text        not null,
    -- Hash of everything printed or proven, including names.
    contents_hash           text        not null,
    totals                  jsonb       not null,
    finalized_by            text,
    finalized_at            timestamptz,
    supersedes_statement_id uuid        unique references billing.statements (id),
    correction_by           text,
    correction_at           timestamptz,
    correction_reason       text,
    unique (partner_id, period_start, revision),
    check ((status = 'draft') = (finalized_at is null)),
    check ((finalized_at is null) = (finalized_by is null)),
    check ((revision = 1) = (supersedes_statement_id is null)),
    check (status = 'draft' or previous_figures is null)
  );
  create unique index statements_current on billing.statements (partner_id, period_start) where status <> 'superseded';
  create index statements_period on billing.statements (period_start, partner_id);
`;

const FIGURES = `
  create table billing.statement_lines (
    figures               bigint  not null,
    -- By contract id, from 0.
    position              integer not null,
    contract_id           uuid    not null references billing.contracts (id),
    model                 text    not null,
    currency              text    not null,
    quantity              integer not null,
    unit_price_cents      bigint  not null,
    amount_cents          bigint  not null,
    billed_days           bigint  not null,
    pack_size             integer,
    pack_drawn            integer,
    pack_drawn_in_period  integer,
    -- Of the contract, as it was.
    valid_from            date    not null,
    valid_to              date,
    primary key (figures, position)
  );

  -- The share of each license in a metered line.
  create table billing.statement_parts (
    figures      bigint   not null,
    -- Of the line.
    position     integer  not null,
    license_id   uuid     not null,
    days         smallint not null,
    amount_cents bigint   not null,
    -- Ledger events behind the days.
    event_ids    bigint[] not null,
    key_masked   text     not null,
    primary key (figures, position, license_id)
  );
`;

const RECORDS = `
  -- Who reviewed which figures of a draft; the last review counts.
  create table billing.reviews (
    statement_id uuid        not null references billing.statements (id),
    number       integer     not null,
    by           text        not null,
    at           timestamptz not null,
    figures_hash text        not null,
    primary key (statement_id, number)
  );

  -- SHA-256 of each file that a finalized statement is exported as. Its JSON says 'superseded' later, hence two.
  create table billing.statement_digests (
    statement_id uuid  not null references billing.statements (id),
    file         text  not null check (file in ('csv', 'json-finalized', 'json-superseded')),
    sha256       bytea not null check (length(sha256) = 32),
    primary key (statement_id, file)
  );

  -- Finalized statements whose facts have changed since; deleted when they are corrected.
  create table billing.statement_flags (
    statement_id uuid        primary key references billing.statements (id),
    since        timestamptz not null
  );
`;

const LOCKS = `
  create function billing.refuse_every_change() returns trigger language plpgsql as $$
  begin
    raise exception '% of %.% is not possible', tg_op, tg_table_schema, tg_table_name
      using errcode = 'insufficient_privilege';
  end $$;

  create function billing.refuse_change_of_locked_statement() returns trigger language plpgsql as $$
  begin
    if tg_op = 'INSERT' then
      if new.status = 'draft' then return new; end if;
    elsif tg_op = 'UPDATE' then
      if old.status = 'draft' and new.status in ('draft', 'finalized') and new.id = old.id
         and new.partner_id = old.partner_id and new.period_start = old.period_start and new.revision = old.revision
         and new.supersedes_statement_id is not distinct from old.supersedes_statement_id then
        return new;
      end if;
      -- The only change of a finalized statement: a correction supersedes it.
      if old.status = 'finalized' and new.status = 'superseded' then
        old.status := new.status;
        if old is not distinct from new then return new; end if;
      end if;
    elsif old.status = 'draft' then
      return old;
    end if;
    raise exception 'the statement is locked: % is not possible', tg_op using errcode = 'insufficient_privilege';
  end $$;
  create trigger statements_are_locked before insert or update or delete on billing.statements
    for each row execute function billing.refuse_change_of_locked_statement();
  create trigger statements_are_not_truncated before truncate on billing.statements
    for each statement execute function billing.refuse_every_change();

  create function billing.refuse_change_of_locked_figures() returns trigger language plpgsql as $$
  begin
    if exists (select 1 from billing.statements s
                where s.figures in (select distinct c.figures from changed c) and s.status <> 'draft') then
      raise exception 'the statement is locked: % of its figures is not possible', tg_op
        using errcode = 'insufficient_privilege';
    end if;
    return null;
  end $$;
  create trigger lines_are_not_added after insert on billing.statement_lines referencing new table as changed
    for each statement execute function billing.refuse_change_of_locked_figures();
  create trigger lines_are_not_removed after delete on billing.statement_lines referencing old table as changed
    for each statement execute function billing.refuse_change_of_locked_figures();
  create trigger lines_are_not_changed before update or truncate on billing.statement_lines
    for each statement execute function billing.refuse_every_change();
  create trigger parts_are_not_added after insert on billing.statement_parts referencing new table as changed
    for each statement execute function billing.refuse_change_of_locked_figures();
  create trigger parts_are_not_removed after delete on billing.statement_parts referencing old table as changed
    for each statement execute function billing.refuse_change_of_locked_figures();
  create trigger parts_are_not_changed before update or truncate on billing.statement_parts
    for each statement execute function billing.refuse_every_change();

  create trigger reviews_are_not_changed before update or delete or truncate on billing.reviews
    for each statement execute function billing.refuse_every_change();
  create trigger digests_are_not_changed before update or delete or truncate on billing.statement_digests
    for each statement execute function billing.refuse_every_change();
`;
