import {
  arraysOf,
  namesOf,
  relationOf,
  requireAllRows,
  type Columns,
  type SetStatement,
} from '#platform/database/batching/set-statement';
import type { Uuid } from '#kernel/crypto/uuid';
import type { Reservation } from '../../application/ports/reservation-repository.js';
import type { NewLicense } from '../../domain/license.js';

/** A license to be written, and the process that hands over its key. */
export interface IssuedLicenseRow extends NewLicense {
  readonly process: number;
  /** Attempt id of its reservation; null if there was none. */
  readonly attemptId: Uuid | null;
}

/** A reservation, and the process that works on it. */
export interface ReservationToWrite extends Reservation {
  readonly process: number;
}

/**
 * Locks the customers until the transaction ends: either a deletion of the customer sees the license, or the license is
 * refused. It reads the table of the customers context directly because it is a condition of this write.
 */
const LIVING_CUSTOMER = `join customers.customers c on c.id = a.customer_id and c.partner_id = a.partner_id
      and c.deleted_at is null order by c.id for share of c`;

const ISSUED: Columns<IssuedLicenseRow> = {
  license_id: ['uuid', ({ record }) => record.id],
  attempt_id: ['uuid', ({ attemptId }) => attemptId],
  partner_id: ['uuid', ({ record }) => record.partnerId],
  customer_id: ['uuid', ({ record }) => record.customerId],
  contract_id: ['uuid', ({ record }) => record.contractId],
  upstream_license_id: ['uuid', ({ record }) => record.upstreamLicenseId],
  key_masked: ['text', ({ record }) => record.keyMasked],
  edition: ['text', ({ record }) => record.edition],
  state: ['text', ({ record }) => record.state],
  expires_on: ['date', ({ record }) => record.expiresOn?.toString() ?? null],
  external_billing_ref: ['text', ({ record }) => record.externalBillingRef],
  metadata: ['text', ({ record }) => record.metadata],
  issued_at: ['timestamptz', ({ record }) => record.issuedAt.toISOString()],
  owner_sequence: ['integer', ({ record }) => record.ownerSequence],
  ledger_length: ['integer', ({ record }) => record.ledger.length],
  ledger_head: ['bytea', ({ record }) => record.ledger.hash],
  position: ['integer', ({ issued }) => issued.position],
  event: ['text', ({ issued }) => issued.event],
  actor: ['text', ({ issued }) => issued.actor],
  data: ['json', ({ issued }) => JSON.stringify(issued.data)],
  previous_hash: ['bytea', ({ issued }) => issued.previousHash],
  first_day: ['date', ({ ownership }) => ownership.began?.firstDay.toString()],
  draws_from_pack: ['boolean', ({ ownership }) => ownership.began?.drawsFromPack],
  process: ['integer', ({ process }) => process],
};

/**
 * One statement that writes licenses, each with its first ledger entry, first ownership span, pack slot, list entries
 * and key hand-over. Fails if `chosen` leaves one of them out. The transaction must lock the partner tree.
 * @param chosen SQL that selects the rows of `asked a` that may be written, each with its number
 */
const issue = (name: string, chosen: string): SetStatement<IssuedLicenseRow> => ({
  name,
  text: `
  with asked as materialized (select * from ${relationOf(ISSUED)} as asked), chosen as materialized (
    ${chosen}
  ), license as (
    insert into licensing.licenses
      (id, number, partner_id, customer_id, contract_id, upstream_license_id, key_masked, edition, state, expires_on,
       external_billing_ref, metadata, issued_at, owner_sequence, ledger_length, ledger_head)
    select license_id, number, partner_id, customer_id, contract_id, upstream_license_id, key_masked, edition, state,
           expires_on, external_billing_ref, metadata, issued_at, owner_sequence, ledger_length, ledger_head
      from chosen
  ), entry as (
    insert into licensing.ledger_events
      (license_id, position, event, at, actor, customer_id, data, previous_hash, hash)
    select license_id, position, event, issued_at, actor, customer_id, data, previous_hash, ledger_head
      from chosen order by place
    returning id, license_id
  ), span as (
    insert into licensing.ownership_spans (license_id, contract_id, days, opened_by)
    select c.license_id, c.contract_id, daterange(c.first_day, null), e.id
      from chosen c join entry e on e.license_id = c.license_id
  ), draw as (
    insert into licensing.pack_draws (contract_id, license_id, drawn_on, event_id)
    select c.contract_id, c.license_id, c.first_day, e.id
      from chosen c join entry e on e.license_id = c.license_id where c.draws_from_pack
  ), place as (
    insert into licensing.subtree_index (ancestor_id, issued_at, license_id)
    select s.ancestor_id, c.issued_at, c.license_id
      from chosen c join partners.subtrees s on s.descendant_id = c.partner_id
  ), handover as (
    insert into licensing.key_handovers (license_id, issued_at, process)
    select license_id, issued_at, process from chosen
  )
  select place, number from chosen where ${requireAllRows('chosen', '$1')}`,
  values: arraysOf(ISSUED),
});

/** Licenses without a reservation. */
export const ISSUE = issue(
  'issue-licenses',
  `select a.*, nextval('licensing.license_numbers') as number from asked a ${LIVING_CUSTOMER}`,
);

/** Licenses from reservations that nobody else has taken over. */
export const ACTIVATE = issue(
  'activate-licenses',
  `delete from licensing.reservations r using asked a
      where r.license_id = a.license_id and r.attempt_id = a.attempt_id returning a.*, r.number`,
);

const RESERVED: Columns<ReservationToWrite> = {
  license_id: ['uuid', ({ licenseId }) => licenseId],
  attempt_id: ['uuid', ({ attemptId }) => attemptId],
  partner_id: ['uuid', ({ partnerId }) => partnerId],
  customer_id: ['uuid', ({ customerId }) => customerId],
  contract_id: ['uuid', ({ contractId }) => contractId],
  upstream_license_id: ['uuid', ({ upstreamLicenseId }) => upstreamLicenseId],
  edition: ['text', ({ edition }) => edition],
  state: ['text', ({ state }) => state],
  expires_on: ['date', ({ expiresOn }) => expiresOn?.toString() ?? null],
  draws_from_pack: ['boolean', ({ drawsFromPack }) => drawsFromPack],
  external_billing_ref: ['text', ({ externalBillingRef }) => externalBillingRef],
  actor: ['text', ({ actor }) => actor],
  reserved_at: ['timestamptz', ({ reservedAt }) => reservedAt.toISOString()],
  process: ['integer', ({ process }) => process],
};

export const RESERVE: SetStatement<ReservationToWrite> = {
  name: 'reserve-licenses',
  text: `
  with asked as materialized (select * from ${relationOf(RESERVED)} as asked), chosen as materialized (
    select a.*, nextval('licensing.license_numbers') as number from asked a ${LIVING_CUSTOMER}
  ), reserved as (
    insert into licensing.reservations (number, ${namesOf(RESERVED)}) select number, ${namesOf(RESERVED)} from chosen
  )
  select place, number from chosen where ${requireAllRows('chosen', '$1')}`,
  values: arraysOf(RESERVED),
};
