import {
  requireAllRows,
  arraysOf,
  namesOf,
  relationOf,
  type Columns,
  type SetStatement,
} from '#platform/database/batching/set-statement';
import { BillingDate } from '#kernel/time/calendar-date';
import type { Reservation, UnnumberedLicense } from '../../application/ports/reservation-repository.js';
import type { LedgerEntry } from '../../domain/ledger-chain.js';

/** A reservation, and the process that works on it. */
interface Reserving {
  readonly reservation: Reservation;
  readonly process: number;
}

/** A license as it is about to be written. */
export interface Birth extends Reserving {
  readonly license: UnnumberedLicense;
  readonly issued: LedgerEntry;
}

/** What is planned of a license before it has a number. */
const PLANNED: Columns<Reserving> = {
  license_id: ['uuid', ({ reservation }) => reservation.licenseId],
  partner_id: ['uuid', ({ reservation }) => reservation.partnerId],
  customer_id: ['uuid', ({ reservation }) => reservation.customerId],
  contract_id: ['uuid', ({ reservation }) => reservation.contractId],
  upstream_license_id: ['uuid', ({ reservation }) => reservation.upstreamLicenseId],
  edition: ['text', ({ reservation }) => reservation.edition],
  state: ['text', ({ reservation }) => reservation.state],
  expires_on: ['date', ({ reservation }) => reservation.expiresOn?.toString() ?? null],
  draws_from_pack: ['boolean', ({ reservation }) => reservation.drawsFromPack],
  external_billing_ref: ['text', ({ reservation }) => reservation.externalBillingRef],
  actor: ['text', ({ reservation }) => reservation.actor],
  reserved_at: ['timestamptz', ({ reservation }) => reservation.reservedAt.toISOString()],
  process: ['integer', ({ process }) => process],
};
const ATTEMPT: Columns<Reserving> = { attempt_id: ['uuid', ({ reservation }) => reservation.attemptId] };

const RESERVING = { ...PLANNED, ...ATTEMPT };

export const RESERVE: SetStatement<Reserving> = {
  name: 'reserve-licenses',
  text: `
  with asked as (select * from ${relationOf(RESERVING)} as asked), reserved as (
    insert into licensing.reservations (number, ${namesOf(RESERVING)})
    select nextval('licensing.license_numbers'), ${namesOf(RESERVING)} from asked
    returning license_id, number
  )
  select a.place, r.number from asked a join reserved r on r.license_id = a.license_id`,
  values: arraysOf(RESERVING),
};

/** What is known only with the key. */
const BORN: Columns<Birth> = {
  key_masked: ['text', ({ license }) => license.keyMasked],
  metadata: ['text', ({ license }) => license.metadata],
  owner_sequence: ['integer', ({ license }) => license.ownerSequence],
  ledger_length: ['integer', ({ license }) => license.ledger.length],
  ledger_head: ['bytea', ({ license }) => license.ledger.hash],
  event: ['text', ({ issued }) => issued.event],
  previous_hash: ['bytea', ({ issued }) => issued.previousHash],
  data: ['json', ({ issued }) => JSON.stringify(issued.data)],
  day: ['date', ({ license }) => BillingDate.of(license.issuedAt).toString()],
};

/**
 * One statement for licenses, the first ledger entry of each, its ownership span, its slot of a pack, its place in every
 * list and the note that its key is on the way. The caller holds the shape of the partner tree.
 * @param asked what is known of each
 * @param reserved rows of `asked` with the columns of a reservation and the process that works on it
 * @param others parts of the statement besides
 */
const birth = (asked: Columns<Birth>, reserved: string, ...others: string[]) => `
  with asked as materialized (select * from ${relationOf(asked)} as asked), reserved as materialized (${reserved}), license as (
    insert into licensing.licenses
      (id, number, partner_id, customer_id, contract_id, upstream_license_id, key_masked, edition, state, expires_on,
       external_billing_ref, metadata, issued_at, owner_sequence, ledger_length, ledger_head)
    select license_id, number, partner_id, customer_id, contract_id, upstream_license_id, key_masked, edition, state,
           expires_on, external_billing_ref, metadata, reserved_at, owner_sequence, ledger_length, ledger_head
      from reserved
    returning id, number
  ), entry as (
    insert into licensing.ledger_events
      (license_id, position, event, at, actor, customer_id, data, previous_hash, hash)
    select license_id, 1, event, reserved_at, actor, customer_id, data, previous_hash, ledger_head
      from reserved order by place
    returning id, license_id
  ), span as (
    insert into licensing.ownership_spans (license_id, contract_id, days, opened_by, is_first)
    select r.license_id, r.contract_id, daterange(r.day, null), e.id, true
      from reserved r join entry e on e.license_id = r.license_id
  ), draw as (
    insert into licensing.pack_draws (contract_id, license_id, drawn_on, event_id)
    select r.contract_id, r.license_id, r.day, e.id
      from reserved r join entry e on e.license_id = r.license_id where r.draws_from_pack
  ), place as (
    insert into licensing.subtree_index (ancestor_id, issued_at, license_id)
    select s.ancestor_id, r.reserved_at, r.license_id
      from reserved r join partners.subtrees s on s.descendant_id = r.partner_id
  ), handover as (
    insert into licensing.key_handovers (license_id, issued_at, process)
    select license_id, reserved_at, process from reserved
  )${others.map((part) => `, ${part}`).join('')}
  select r.place, l.number from license l join reserved r on r.license_id = l.id`;

const RESERVED: Columns<Birth> = {
  license_id: ['uuid', ({ reservation }) => reservation.licenseId],
  ...ATTEMPT,
  ...BORN,
};

export const ACTIVATE: SetStatement<Birth> = {
  name: 'activate-licenses',
  text: birth(
    RESERVED,
    `delete from licensing.reservations r using asked a
      where r.license_id = a.license_id and r.attempt_id = a.attempt_id
      returning r.license_id, r.number, r.partner_id, r.customer_id, r.contract_id, r.upstream_license_id, r.edition,
        r.state, r.expires_on, r.draws_from_pack, r.external_billing_ref, r.actor, r.reserved_at, r.process,
        ${Object.keys(BORN)
          .map((name) => `a.${name}`)
          .join(', ')}, a.place`,
  ),
  values: arraysOf(RESERVED),
};

const NUMBERED = "select nextval('licensing.license_numbers') as number, a.* from asked a";
const UNRESERVED: Columns<Birth> = { ...PLANNED, ...BORN };
const ON_SPARE: Columns<Birth> = { ...UNRESERVED, ...ATTEMPT };

export const ISSUE_AT_ONCE: SetStatement<Birth> = {
  name: 'issue-licenses',
  text: birth(UNRESERVED, NUMBERED),
  values: arraysOf(UNRESERVED),
};

/** Fails when one of the spare reservations was taken over. */
export const ISSUE_ON_SPARES: SetStatement<Birth> = {
  name: 'issue-licenses-on-spares',
  text: `${birth(
    ON_SPARE,
    NUMBERED,
    `used as (
      delete from licensing.reservations r using asked a
       where r.license_id = a.license_id and r.attempt_id = a.attempt_id returning r.license_id
    )`,
  )} where ${requireAllRows('used', '$1')}`,
  values: arraysOf(ON_SPARE),
};
