import { allOf, columnsOf, parameters, type SetStatement } from '#platform/database/set-statement';
import { BillingDate } from '#kernel/calendar-date';
import type { Reservation, UnnumberedLicense } from '../application/ports/reservation-repository.js';
import type { LedgerEntry } from '../domain/ledger-chain.js';

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

/** What a reservation says, in the order of the columns in `RESERVED` below. */
const reservationColumns: ((reservation: Reservation) => unknown)[] = [
  ({ licenseId }) => licenseId,
  ({ partnerId }) => partnerId,
  ({ customerId }) => customerId,
  ({ contractId }) => contractId,
  ({ upstreamLicenseId }) => upstreamLicenseId,
  ({ edition }) => edition,
  ({ state }) => state,
  ({ expiresOn }) => expiresOn?.toString() ?? null,
  ({ drawsFromPack }) => drawsFromPack,
  ({ externalBillingRef }) => externalBillingRef,
  ({ actor }) => actor,
  ({ reservedAt }) => reservedAt.toISOString(),
];

const RESERVED = `license_id, number, partner_id, customer_id, contract_id, upstream_license_id, edition, state,
  expires_on, draws_from_pack, external_billing_ref, actor, reserved_at`;

/** As planned, without its number. */
const PLANNED = RESERVED.replace('number, ', '');
const PLANNED_TYPES = `uuid[], uuid[], uuid[], uuid[], uuid[], text[], text[], date[], boolean[], text[], text[],
  timestamptz[]`;

const plannedColumns = reservationColumns.map(
  (column) =>
    ({ reservation }: Reserving) =>
      column(reservation),
);

export const RESERVE: SetStatement<Reserving> = {
  name: 'reserve-licenses',
  text: `
  with asked as (
    select * from unnest(${parameters(1, PLANNED_TYPES)}, $13::uuid[], $14::integer[]) with ordinality
      as asked (${PLANNED}, attempt_id, process, place)
  ), reserved as (
    insert into licensing.reservations (number, ${PLANNED}, attempt_id, process)
    select nextval('licensing.license_numbers'), ${PLANNED}, attempt_id, process from asked
    returning license_id, number
  )
  select a.place, r.number from asked a join reserved r on r.license_id = a.license_id`,
  values: columnsOf(
    ...plannedColumns,
    ({ reservation }) => reservation.attemptId,
    ({ process }) => process,
  ),
};

/** What is known only with the key. */
const BORN = 'key_masked, metadata, owner_sequence, ledger_length, ledger_head, event, previous_hash, data, day';
const BORN_TYPES = 'text[], text[], integer[], integer[], bytea[], text[], bytea[], json[], date[]';
const bornColumns: ((birth: Birth) => unknown)[] = [
  ({ license }) => license.keyMasked,
  ({ license }) => license.metadata,
  ({ license }) => license.ownerSequence,
  ({ license }) => license.ledger.length,
  ({ license }) => license.ledger.hash,
  ({ issued }) => issued.event,
  ({ issued }) => issued.previousHash,
  ({ issued }) => JSON.stringify(issued.data),
  ({ license }) => BillingDate.of(license.issuedAt).toString(),
];

/**
 * One statement for licenses, the first ledger entry of each, its ownership span, its slot of a pack, its place in every
 * list and the note that its key is on the way. The caller holds the shape of the partner tree.
 * @param asked what is known of each, with its `place`
 * @param reserved rows of `asked` with the columns of a reservation and the process that works on it
 * @param others parts of the statement besides
 */
const birth = (asked: string, reserved: string, ...others: string[]) => `
  with asked as materialized (${asked}), reserved as materialized (${reserved}), license as (
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

export const ACTIVATE: SetStatement<Birth> = {
  name: 'activate-licenses',
  text: birth(
    `select * from unnest($1::uuid[], $2::uuid[], ${parameters(3, BORN_TYPES)}) with ordinality
       as asked (license_id, attempt_id, ${BORN}, place)`,
    `delete from licensing.reservations r using asked a
      where r.license_id = a.license_id and r.attempt_id = a.attempt_id
      returning r.license_id, r.number, r.partner_id, r.customer_id, r.contract_id, r.upstream_license_id, r.edition,
        r.state, r.expires_on, r.draws_from_pack, r.external_billing_ref, r.actor, r.reserved_at, r.process,
        ${BORN.replaceAll(/\b(\w+)/g, 'a.$1')}, a.place`,
  ),
  values: columnsOf(
    ({ reservation }) => reservation.licenseId,
    ({ reservation }) => reservation.attemptId,
    ...bornColumns,
  ),
};

const NUMBERED = "select nextval('licensing.license_numbers') as number, a.* from asked a";
const atOnceColumns: ((birth: Birth) => unknown)[] = [...plannedColumns, ({ process }) => process, ...bornColumns];

export const ISSUE_AT_ONCE: SetStatement<Birth> = {
  name: 'issue-licenses',
  text: birth(
    `select * from unnest(${parameters(1, PLANNED_TYPES)}, $13::integer[], ${parameters(14, BORN_TYPES)}) with ordinality
       as asked (${PLANNED}, process, ${BORN}, place)`,
    NUMBERED,
  ),
  values: columnsOf(...atOnceColumns),
};

/** Fails when one of the spare reservations was taken over. */
export const ISSUE_ON_SPARES: SetStatement<Birth> = {
  name: 'issue-licenses-on-spares',
  text: `${birth(
    `select * from unnest(${parameters(1, PLANNED_TYPES)}, $13::integer[], ${parameters(14, BORN_TYPES)}, $23::uuid[])
       with ordinality as asked (${PLANNED}, process, ${BORN}, attempt_id, place)`,
    NUMBERED,
    `used as (
      delete from licensing.reservations r using asked a
       where r.license_id = a.license_id and r.attempt_id = a.attempt_id returning r.license_id
    )`,
  )} where ${allOf('used', '$1')}`,
  values: columnsOf(...atOnceColumns, ({ reservation }) => reservation.attemptId),
};
