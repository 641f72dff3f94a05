import {
  arraysOf,
  namesOf,
  relationOf,
  requireAllRows,
  type Columns,
  type SetStatement,
} from '#platform/database/batching/set-statement';
import type { PendingChange } from '../../application/ports/license-repository.js';

interface Announced extends PendingChange {
  readonly process: number;
  readonly knownLength: number;
}

const PENDING: Columns<Announced> = {
  license_id: ['uuid', ({ licenseId }) => licenseId],
  change_id: ['uuid', ({ changeId }) => changeId],
  call: ['text', ({ call }) => call],
  edition: ['text', ({ edition }) => edition],
  actor: ['text', ({ actor }) => actor],
  requested_at: ['timestamptz', ({ requestedAt }) => requestedAt.toISOString()],
  operation_id: ['uuid', ({ operationId }) => operationId],
  process: ['integer', ({ process }) => process],
};
const ASKED: Columns<Announced> = { ...PENDING, known_length: ['int', ({ knownLength }) => knownLength] };

/** Announces changes of licenses that are as they were read and have no other pending change. */
export const ANNOUNCE: SetStatement<Announced> = {
  name: 'announce-changes',
  text: `
  with asked as materialized (select * from ${relationOf(ASKED)} as asked), held as materialized (
    select l.id from asked a join licensing.licenses l on l.id = a.license_id and l.ledger_length = a.known_length
     order by l.id for no key update of l
  ), announced as (
    insert into licensing.pending_changes (${namesOf(PENDING)})
    select ${namesOf(PENDING)} from asked a join held on held.id = a.license_id
    on conflict do nothing
    returning license_id
  )
  select a.place from asked a where ${requireAllRows('announced', '$1')}`,
  values: arraysOf(ASKED),
};
