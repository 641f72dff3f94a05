import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A license is written with six rows and more, and each reference of each row is looked up and locked. What said the
 * same twice is said once, and what needs an index of intervals does without while there is nothing to compare.
 */
export class LeanBirths1767225736000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(ONE_PARTNER);
    await runner.query(SPANS);
    await runner.query(POLICIES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table license_service.licenses
        add foreign key (policy_id) references license_service.policies (id);
      drop trigger policies_stay on license_service.policies;
      drop function license_service.refuse_policy_change;
      drop trigger refuse_moved_owner on licensing.ownership_spans;
      drop trigger refuse_second_owner on licensing.ownership_spans;
      drop function licensing.refuse_second_owner;
      alter table licensing.ownership_spans
        drop constraint ownership_spans_days_excl,
        drop column is_first,
        add exclude using gist (license_id with =, days with &&),
        add foreign key (opened_by) references licensing.ledger_events (id),
        add foreign key (closed_by) references licensing.ledger_events (id);
    `);
    for (const table of ['licenses', 'reservations'])
      await runner.query(`
        alter table licensing.${table}
          drop constraint ${table}_customer_fkey,
          drop constraint ${table}_contract_fkey,
          add foreign key (partner_id) references partners.partners (id),
          add foreign key (customer_id) references customers.customers (id),
          add foreign key (contract_id) references billing.contracts (id);
      `);
    await runner.query(`
      alter table customers.customers drop constraint customers_of_partner;
      alter table billing.contracts drop constraint contracts_of_partner;
    `);
  }
}

/** Customer and contract are of the license's own partner, who exists because they do. */
const ONE_PARTNER = `
  alter table customers.customers add constraint customers_of_partner unique (id, partner_id);
  alter table billing.contracts add constraint contracts_of_partner unique (id, partner_id);
  ${['licenses', 'reservations']
    .map(
      (table) => `
  alter table licensing.${table}
    drop constraint ${table}_partner_id_fkey,
    drop constraint ${table}_customer_id_fkey,
    drop constraint ${table}_contract_id_fkey,
    add constraint ${table}_customer_fkey
      foreign key (customer_id, partner_id) references customers.customers (id, partner_id),
    add constraint ${table}_contract_fkey
      foreign key (contract_id, partner_id) references billing.contracts (id, partner_id);`,
    )
    .join('')}
`;

const SPANS = `
  -- The stay that comes with a license. While it lasts there is no other, so it stays out of the index that tells
  -- intervals apart, which costs a birth more than all that the ledger does.
  alter table licensing.ownership_spans
    add column is_first boolean not null default false,
    drop constraint ownership_spans_license_id_days_excl,
    add constraint ownership_spans_days_excl exclude using gist (license_id with =, days with &&)
      where (not (is_first and upper_inf(days))),
    -- The ledger loses no event, and a stay is written with its event by the same statement.
    drop constraint ownership_spans_opened_by_fkey,
    drop constraint ownership_spans_closed_by_fkey;

  -- What the index does not tell apart: a first stay that lasts from those that have ended, and from itself before it
  -- was moved. Another that lasts is none of its business, of those there is one at most. Never a walk over the table:
  -- while one transaction fills it, PostgreSQL takes it for empty.
  create function licensing.refuse_second_owner() returns trigger language plpgsql set enable_seqscan = off as $$
  declare
    found boolean;
  begin
    if upper_inf(new.days) then
      found := exists (select from licensing.ownership_spans s where s.license_id = new.license_id
                          and not (s.is_first and upper_inf(s.days)) and s.days && new.days);
    else
      found := exists (select from licensing.ownership_spans s where s.license_id = new.license_id
                          and s.is_first and upper_inf(s.days) and s.days && new.days);
    end if;
    if found then
      raise exception 'license % has an owner on some of the days %', new.license_id, new.days
        using errcode = 'exclusion_violation';
    end if;
    return null;
  end $$;
  create trigger refuse_second_owner after insert on licensing.ownership_spans
    for each row when (not upper_inf(new.days)) execute function licensing.refuse_second_owner();
  create trigger refuse_moved_owner after update on licensing.ownership_spans
    for each row when (new.is_first or not upper_inf(new.days)) execute function licensing.refuse_second_owner();
`;

/** All licenses of an edition held the row of its policy, which every two transactions at a time had to share. */
const POLICIES = `
  create function license_service.refuse_policy_change() returns trigger language plpgsql as $$
  begin
    raise exception 'licenses have this policy for good: % is not possible', tg_op
      using errcode = 'insufficient_privilege';
  end $$;
  create trigger policies_stay before update of id or delete or truncate on license_service.policies
    for each statement execute function license_service.refuse_policy_change();

  -- Records get the policy that the same statement finds, so none can be missing as long as none goes away.
  alter table license_service.licenses drop constraint licenses_policy_id_fkey;
`;
