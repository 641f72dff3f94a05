import { columnsOf, type SetStatement } from '#platform/database/set-statement';
import { BillingDate } from '#kernel/calendar-date';
import type { Uuid } from '#kernel/uuid';
import type { LicenseChange } from '../domain/license.js';
import { entryColumns } from './ledger-rows.js';

export interface WrittenChange extends LicenseChange {
  /** Of the pending change that it completes. */
  readonly changeId: Uuid | null;
}

const licenseColumns = columnsOf<WrittenChange>(
  ({ after }) => after.id,
  ({ before }) => before.ledger.length,
  ({ changeId }) => changeId,
  ({ after }) => after.partnerId,
  ({ after }) => after.customerId,
  ({ after }) => after.contractId,
  ({ after }) => after.edition,
  ({ after }) => after.state,
  ({ after }) => after.suspendedFrom,
  ({ after }) => after.expiresOn?.toString() ?? null,
  ({ before, after }) => before.expiresOn?.toString() !== after.expiresOn?.toString(),
  ({ after }) => after.terminatedAt?.toISOString() ?? null,
  ({ after }) => after.lastTransferOn?.toString() ?? null,
  ({ after }) => after.ownerSequence,
  ({ after }) => after.lastOperationId,
  ({ after }) => after.ledger.length,
  ({ after }) => after.ledger.hash,
  terminationDay,
);

/**
 * One statement for changes of licenses, their ledger entries and the end of their ownership. Of each change all of it
 * or nothing: without a row when the license has moved on, or the pending change is somebody else's by now. Licenses
 * are locked before their pending changes, as everywhere.
 */
export const WRITE: SetStatement<WrittenChange> = {
  name: 'write-licenses',
  text: `
  with asked as materialized (
    select * from unnest($1::uuid[], $2::int[], $3::uuid[], $4::uuid[], $5::uuid[], $6::uuid[], $7::text[], $8::text[],
        $9::text[], $10::date[], $11::boolean[], $12::timestamptz[], $13::date[], $14::int[], $15::uuid[], $16::int[],
        $17::bytea[], $18::date[]) with ordinality
      as asked (id, known_length, change_id, partner_id, customer_id, contract_id, edition, state, suspended_from,
        expires_on, moves_end, terminated_at, last_transfer_on, owner_sequence, operation_id, ledger_length, ledger_head,
        ends_on, place)
  ), held as (
    select l.id from asked a join licensing.licenses l on l.id = a.id and l.ledger_length = a.known_length
     order by l.id for no key update of l
  ), completed as (
    delete from licensing.pending_changes p using held, asked a
     where p.license_id = held.id and a.id = held.id and p.change_id = a.change_id
    returning p.license_id
  ), license as (
    update licensing.licenses l set
      partner_id = a.partner_id, customer_id = a.customer_id, contract_id = a.contract_id, edition = a.edition,
      state = a.state, suspended_from = a.suspended_from,
      -- The end of a trial may be moved while a change is pending.
      expires_on = case when a.moves_end then a.expires_on else l.expires_on end,
      terminated_at = a.terminated_at, last_transfer_on = a.last_transfer_on, owner_sequence = a.owner_sequence,
      last_operation_id = a.operation_id, ledger_length = a.ledger_length, ledger_head = a.ledger_head
      from asked a join held on held.id = a.id
     where l.id = a.id and (a.change_id is null or exists (select 1 from completed c where c.license_id = a.id))
    returning l.id, a.place, a.ends_on
  ), entry as (
    insert into licensing.ledger_events
      (license_id, position, event, at, actor, customer_id, data, previous_hash, hash)
    select license.id, e.position, e.event, e.at, e.actor, e.customer_id, e.data, e.previous_hash, e.hash
      from license join unnest($19::uuid[], $20::int[], $21::text[], $22::timestamptz[], $23::text[], $24::uuid[],
          $25::json[], $26::bytea[], $27::bytea[])
        as e (license_id, position, event, at, actor, customer_id, data, previous_hash, hash)
        on e.license_id = license.id
     order by license.place, e.position
    returning id, license_id
  ), span as (
    update licensing.ownership_spans s set
      days = daterange(lower(s.days), license.ends_on + 1),
      closed_by = (select max(entry.id) from entry where entry.license_id = s.license_id)
      from license
     where s.license_id = license.id and upper_inf(s.days) and license.ends_on is not null
  )
  select license.place, entry.id from entry join license on license.id = entry.license_id order by entry.id`,
  values: (changes) => [
    ...licenseColumns(changes),
    changes.flatMap(({ after, entries }) => entries.map(() => after.id)),
    ...entryColumns(changes.flatMap(({ entries }) => entries)),
  ],
};

function terminationDay({ before, after }: LicenseChange): string | null {
  const ends = after.state === 'terminated' && before.state !== 'terminated';
  return ends && after.terminatedAt ? BillingDate.of(after.terminatedAt).toString() : null;
}
