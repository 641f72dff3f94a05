import {
  requireAllRows,
  arraysOf,
  namesOf,
  relationOf,
  type Columns,
  type SetStatement,
} from '#platform/database/batching/set-statement';
import { BillingDate } from '#kernel/time/calendar-date';
import type { Uuid } from '#kernel/crypto/uuid';
import type { LedgerEntry } from '../domain/ledger-chain.js';
import type { LicenseChange } from '../domain/license.js';
import { ENTRY_COLUMNS } from './sql/ledger-rows.js';

export interface AnnouncedChange extends LicenseChange {
  readonly changeId: Uuid;
}

const CHANGE: Columns<LicenseChange> = {
  id: ['uuid', ({ after }) => after.id],
  known_length: ['int', ({ before }) => before.ledger.length],
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
  ends_on: ['date', terminationDay],
};
const ANNOUNCED: Columns<AnnouncedChange> = { ...CHANGE, change_id: ['uuid', ({ changeId }) => changeId] };
const changeArrays = arraysOf(CHANGE);
const announcedArrays = arraysOf(ANNOUNCED);

interface Entry extends LedgerEntry {
  readonly licenseId: Uuid;
}

const ENTRY: Columns<Entry> = { license_id: ['uuid', ({ licenseId }) => licenseId], ...ENTRY_COLUMNS };
const entryArrays = arraysOf(ENTRY);
const entriesOf = (changes: readonly LicenseChange[]) =>
  entryArrays(changes.flatMap(({ after, entries }) => entries.map((entry) => ({ licenseId: after.id, ...entry }))));

/**
 * One statement for changes of licenses, their ledger entries and the end of their ownership. Of each change all of it
 * or nothing. Licenses are locked before their pending changes, as everywhere.
 * @param asked the values; those of the ledger's entries are the parameters after them
 * @param before what has to happen first
 * @param condition which of `asked a` are written to their license `l`
 * @param whole whether the answer may be given
 */
const change = (given: {
  readonly asked: Columns<never>;
  readonly before?: string;
  readonly condition: string;
  readonly whole?: string;
}) => `
  with asked as materialized (select * from ${relationOf(given.asked)} as asked), ${given.before ?? ''} license as (
    update licensing.licenses l set
      partner_id = a.partner_id, customer_id = a.customer_id, contract_id = a.contract_id, edition = a.edition,
      state = a.state, suspended_from = a.suspended_from,
      -- The end of a trial may be moved while a change is pending.
      expires_on = case when a.moves_end then a.expires_on else l.expires_on end,
      terminated_at = a.terminated_at, last_transfer_on = a.last_transfer_on, owner_sequence = a.owner_sequence,
      last_operation_id = a.operation_id, ledger_length = a.ledger_length, ledger_head = a.ledger_head
      from asked a
     where l.id = a.id and ${given.condition}
    returning l.id, a.place, a.ends_on
  ), entry as (
    insert into licensing.ledger_events (${namesOf(ENTRY)})
    select license.id, e.position, e.event, e.at, e.actor, e.customer_id, e.data, e.previous_hash, e.hash
      from license
      join ${relationOf(ENTRY, Object.keys(given.asked).length + 1)} as e on e.license_id = license.id
     order by license.place, e.position
    returning id, license_id
  ), span as (
    update licensing.ownership_spans s set
      days = daterange(lower(s.days), license.ends_on + 1),
      closed_by = (select max(entry.id) from entry where entry.license_id = s.license_id)
      from license
     where s.license_id = license.id and upper_inf(s.days) and license.ends_on is not null
  )
  select license.place, entry.id from entry join license on license.id = entry.license_id
   where ${given.whole ?? 'true'} order by entry.id`;

/** Of licenses that are held. Fails as a whole when one of them is not as it was read. */
export const WRITE: SetStatement<LicenseChange> = {
  name: 'write-licenses',
  text: change({
    asked: CHANGE,
    condition: 'l.ledger_length = a.known_length',
    whole: requireAllRows('license', '$1'),
  }),
  values: (changes) => [...changeArrays(changes), ...entriesOf(changes)],
};

/** Without a row when the license has moved on, or the announced change is somebody else's by now. */
export const COMPLETE: SetStatement<AnnouncedChange> = {
  name: 'complete-changes',
  text: change({
    asked: ANNOUNCED,
    before: `held as (
      select l.id from asked a join licensing.licenses l on l.id = a.id and l.ledger_length = a.known_length
       order by l.id for no key update of l
    ), completed as (
      delete from licensing.pending_changes p using held, asked a
       where p.license_id = held.id and a.id = held.id and p.change_id = a.change_id
      returning p.license_id
    ),`,
    condition: 'exists (select 1 from completed c where c.license_id = a.id)',
  }),
  values: (changes) => [...announcedArrays(changes), ...entriesOf(changes)],
};

function terminationDay({ before, after }: LicenseChange): string | null {
  const ends = after.state === 'terminated' && before.state !== 'terminated';
  return ends && after.terminatedAt ? BillingDate.of(after.terminatedAt).toString() : null;
}
