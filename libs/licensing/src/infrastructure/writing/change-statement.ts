import {
  arraysOf,
  namesOf,
  relationOf,
  requireAllRows,
  type Columns,
  type SetStatement,
} from '#platform/database/batching/set-statement';
import type { Uuid } from '#kernel/crypto/uuid';
import type { LedgerEntry } from '../../domain/ledger-chain.js';
import type { LicenseChange } from '../../domain/license.js';
import { ENTRY_COLUMNS } from '../sql/ledger-rows.js';

export interface AnnouncedChange extends LicenseChange {
  readonly changeId: Uuid;
}

const CHANGE: Columns<LicenseChange> = {
  id: ['uuid', ({ after }) => after.id],
  known_length: ['int', ({ before }) => before.ledger.length],
  known_end: ['date', ({ before }) => before.expiresOn?.toString() ?? null],
  partner_id: ['uuid', ({ after }) => after.partnerId],
  customer_id: ['uuid', ({ after }) => after.customerId],
  contract_id: ['uuid', ({ after }) => after.contractId],
  edition: ['text', ({ after }) => after.edition],
  state: ['text', ({ after }) => after.state],
  suspended_from: ['text', ({ after }) => after.suspendedFrom],
  expires_on: ['date', ({ after }) => after.expiresOn?.toString() ?? null],
  moves_end: ['boolean', ({ before, after }) => before.expiresOn?.toString() !== after.expiresOn?.toString()],
  terminated_at: ['timestamptz', ({ after }) => after.terminatedAt?.toISOString() ?? null],
  last_transfer_on: ['date', ({ after }) => after.lastTransferOn?.toString() ?? null],
  owner_sequence: ['int', ({ after }) => after.ownerSequence],
  operation_id: ['uuid', ({ after }) => after.lastOperationId],
  ledger_length: ['int', ({ after }) => after.ledger.length],
  ledger_head: ['bytea', ({ after }) => after.ledger.hash],
  ended_from: ['date', ({ ownership }) => ownership?.ended?.firstDay.toString() ?? null],
  ended_on: ['date', ({ ownership }) => ownership?.ended?.lastDay.toString() ?? null],
  closed_by: ['int', ({ ownership }) => ownership?.ended?.closedBy ?? null],
  began_on: ['date', ({ ownership }) => ownership?.began?.firstDay.toString() ?? null],
  began_under: ['uuid', ({ ownership }) => ownership?.began?.contractId ?? null],
  opened_by: ['int', ({ ownership }) => ownership?.began?.openedBy ?? null],
  draws_from_pack: ['boolean', ({ ownership }) => ownership?.began?.drawsFromPack ?? false],
};
const ANNOUNCED: Columns<AnnouncedChange> = { ...CHANGE, change_id: ['uuid', ({ changeId }) => changeId] };

interface Entry extends LedgerEntry {
  readonly licenseId: Uuid;
}

const ENTRY: Columns<Entry> = { license_id: ['uuid', ({ licenseId }) => licenseId], ...ENTRY_COLUMNS };

/**
 * One statement that writes changes of licenses, their ledger entries and their ownership spans. The open span is
 * closed, or removed if it has no day left, before another is inserted, because a day may never have two owners. Fails
 * if `chosen` leaves out a change.
 * @param asked the values; those of the ledger's entries are the parameters after them
 * @param chosen parts that end with `chosen`: the ids of the licenses that may be written, locked in their order
 */
const change = <Q extends LicenseChange>(name: string, asked: Columns<Q>, chosen: string): SetStatement<Q> => {
  const changeArrays = arraysOf(asked);
  const entryArrays = arraysOf(ENTRY);
  return {
    name,
    text: `
  with asked as materialized (select * from ${relationOf(asked)} as asked), ${chosen}, license as (
    update licensing.licenses l set
      partner_id = a.partner_id, customer_id = a.customer_id, contract_id = a.contract_id, edition = a.edition,
      state = a.state, suspended_from = a.suspended_from,
      -- The end of a trial may be moved while a change is pending.
      expires_on = case when a.moves_end then a.expires_on else l.expires_on end,
      terminated_at = a.terminated_at, last_transfer_on = a.last_transfer_on, owner_sequence = a.owner_sequence,
      last_operation_id = a.operation_id, ledger_length = a.ledger_length, ledger_head = a.ledger_head
      from asked a join chosen on chosen.id = a.id
     where l.id = a.id and l.ledger_length = a.known_length
    returning a.*
  ), entry as (
    insert into licensing.ledger_events (${namesOf(ENTRY)})
    select license.id, e.position, e.event, e.at, e.actor, e.customer_id, e.data, e.previous_hash, e.hash
      from license
      join ${relationOf(ENTRY, Object.keys(asked).length + 1)} as e on e.license_id = license.id
     order by license.place, e.position
    returning id, license_id, position
  ), ended as (
    update licensing.ownership_spans s set days = daterange(lower(s.days), license.ended_on, '[]'), closed_by = entry.id
      from license join entry on entry.license_id = license.id and entry.position = license.closed_by
     where s.license_id = license.id and upper_inf(s.days) and license.ended_on >= license.ended_from
    returning 1
  ), removed as (
    delete from licensing.ownership_spans s using license
     where s.license_id = license.id and upper_inf(s.days) and license.ended_on < license.ended_from
    returning 1
  ), began as (
    insert into licensing.ownership_spans (license_id, contract_id, days, opened_by)
    select license.id, license.began_under, daterange(license.began_on, null), entry.id
      from license join entry on entry.license_id = license.id and entry.position = license.opened_by
     where (select count(*) from ended) + (select count(*) from removed) >= 0
  ), draw as (
    insert into licensing.pack_draws (contract_id, license_id, drawn_on, event_id)
    select license.began_under, license.id, license.began_on, entry.id
      from license join entry on entry.license_id = license.id and entry.position = license.opened_by
     where license.draws_from_pack
    on conflict do nothing
  )
  select place from license where ${requireAllRows('license', '$1')}`,
    values: (changes) => [
      ...changeArrays(changes),
      ...entryArrays(
        changes.flatMap(({ after, entries }) => entries.map((entry) => ({ licenseId: after.id, ...entry }))),
      ),
    ],
  };
};

/** Licenses that are as they were read and have no pending change. */
export const WRITE = change<LicenseChange>(
  'write-licenses',
  CHANGE,
  `chosen as materialized (
    select l.id from asked a
      join licensing.licenses l on l.id = a.id and l.ledger_length = a.known_length
                                and l.expires_on is not distinct from a.known_end
     where not exists (select from licensing.pending_changes p where p.license_id = a.id)
     order by l.id for no key update of l
  )`,
);

/** Licenses that are as they were read and whose announced change still belongs to whoever completes it. */
export const COMPLETE = change<AnnouncedChange>(
  'complete-changes',
  ANNOUNCED,
  `held as materialized (
    select l.id from asked a join licensing.licenses l on l.id = a.id and l.ledger_length = a.known_length
     order by l.id for no key update of l
  ), chosen as (
    delete from licensing.pending_changes p using held, asked a
     where p.license_id = held.id and a.id = held.id and p.change_id = a.change_id
    returning p.license_id as id
  )`,
);
