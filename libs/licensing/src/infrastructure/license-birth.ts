import { BillingDate } from '#kernel/calendar-date';
import type { Reservation, UnnumberedLicense } from '../application/ports/reservation-repository.js';
import type { LedgerEntry } from '../domain/ledger-chain.js';

/** What a reservation says, in the order of the columns in `RESERVED` below. */
export function reservationValues(reservation: Reservation): unknown[] {
  return [
    reservation.licenseId,
    reservation.partnerId,
    reservation.customerId,
    reservation.contractId,
    reservation.upstreamLicenseId,
    reservation.edition,
    reservation.state,
    reservation.expiresOn?.toString() ?? null,
    reservation.drawsFromPack,
    reservation.externalBillingRef,
    reservation.actor,
    reservation.reservedAt,
  ];
}

const RESERVED = `license_id, number, partner_id, customer_id, contract_id, upstream_license_id, edition, state,
  expires_on, draws_from_pack, external_billing_ref, actor, reserved_at`;

export const RESERVE = {
  name: 'reserve-license',
  text: `insert into licensing.reservations (${RESERVED}, attempt_id, process)
    values ($1, nextval('licensing.license_numbers'), $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
    returning number`,
};

/** What is known only with the key, in the order of the parameters of `birth`. */
export function birthValues(license: UnnumberedLicense, issued: LedgerEntry): unknown[] {
  return [
    license.keyMasked,
    license.metadata,
    license.ownerSequence,
    license.ledger.length,
    license.ledger.hash,
    issued.event,
    issued.previousHash,
    JSON.stringify(issued.data),
    BillingDate.of(license.issuedAt).toString(),
  ];
}

/**
 * One statement for the license, its first ledger entry, its ownership span, its slot of a pack, its place in every
 * list and the note that its key is on the way. The caller holds the shape of the partner tree.
 * @param reserved a row of the columns of a reservation with the process that works on it, or none
 * @param first number of the first parameter of `birthValues`
 */
function birth(reserved: string, first: number): string {
  const [masked, metadata, sequence, length, head, event, previous, data, day] = Array.from(
    { length: 9 },
    (_, index) => `$${first + index}`,
  );
  return `
  with reserved as (${reserved}), license as (
    insert into licensing.licenses
      (id, number, partner_id, customer_id, contract_id, upstream_license_id, key_masked, edition, state, expires_on,
       external_billing_ref, metadata, issued_at, owner_sequence, ledger_length, ledger_head)
    select license_id, number, partner_id, customer_id, contract_id, upstream_license_id, ${masked}, edition, state,
           expires_on, external_billing_ref, ${metadata}, reserved_at, ${sequence}, ${length}, ${head}
      from reserved
    returning number
  ), entry as (
    insert into licensing.ledger_events
      (license_id, position, event, at, actor, customer_id, data, previous_hash, hash)
    select license_id, 1, ${event}, reserved_at, actor, customer_id, ${data}::json, ${previous}, ${head} from reserved
    returning id
  ), span as (
    insert into licensing.ownership_spans (license_id, contract_id, days, opened_by)
    select license_id, contract_id, daterange(${day}::date, null), entry.id from reserved, entry
  ), draw as (
    insert into licensing.pack_draws (contract_id, license_id, drawn_on, event_id)
    select contract_id, license_id, ${day}::date, entry.id from reserved, entry where draws_from_pack
  ), place as (
    insert into licensing.subtree_index (ancestor_id, issued_at, license_id)
    select s.ancestor_id, r.reserved_at, r.license_id
      from reserved r join partners.subtrees s on s.descendant_id = r.partner_id
  ), handover as (
    insert into licensing.key_handovers (license_id, issued_at, process)
    select license_id, reserved_at, process from reserved
  )
  select number from license`;
}

export const ACTIVATE = {
  name: 'activate-license',
  text: birth('delete from licensing.reservations where license_id = $1 and attempt_id = $2 returning *', 3),
};

export const ISSUE_AT_ONCE = {
  name: 'issue-license',
  text: birth(
    `select $1::uuid as license_id, nextval('licensing.license_numbers') as number, $2::uuid as partner_id,
        $3::uuid as customer_id, $4::uuid as contract_id, $5::uuid as upstream_license_id, $6::text as edition,
        $7::text as state, $8::date as expires_on, $9::boolean as draws_from_pack, $10::text as external_billing_ref,
        $11::text as actor, $12::timestamptz as reserved_at, $13::integer as process`,
    14,
  ),
};
