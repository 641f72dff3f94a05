import type { Uuid } from '#kernel/crypto/uuid';
import {
  requireAllRows,
  arraysOf,
  relationOf,
  type Columns,
  type SetStatement,
} from '#platform/database/batching/set-statement';
import type { LicenseMetadata, LicenseOrder } from '../../../application/ports/license-service.js';
import { maskKey, type LicenseKey } from '../../../domain/license-key.js';

export interface NewRecord {
  readonly order: LicenseOrder;
  readonly key: LicenseKey;
  readonly at: Date;
}

export interface RecordChange<V> {
  readonly id: Uuid;
  readonly value: V;
}

const RECORDED: Columns<NewRecord> = {
  id: ['uuid', ({ order }) => order.upstreamLicenseId],
  key_hash: ['bytea', ({ key }) => key.hash],
  key_masked: ['text', ({ key }) => maskKey(key.secret)],
  edition: ['text', ({ order }) => order.edition],
  expires_at: ['timestamptz', ({ order }) => order.expiresAt?.toISOString() ?? null],
  metadata: ['jsonb', ({ order }) => JSON.stringify(order.metadata)],
  sequence: ['bigint', ({ order }) => order.metadata.sequence],
  at: ['timestamptz', ({ at }) => at.toISOString()],
};
const ASKED = `asked as (select * from ${relationOf(RECORDED)} as asked)`;
const insertOf = (policies: string) => `
    insert into license_service.licenses as l
           (id, key_hash, key_masked, policy_id, suspended, expires_at, metadata, metadata_sequence, created_at)
    select a.id, a.key_hash, a.key_masked, p.id, false, a.expires_at, a.metadata, a.sequence, a.at
      from asked a join ${policies} p on p.edition = a.edition`;

/**
 * Inserts nothing for an edition that has no policy yet. A repeat replaces the key, because the first one is stored
 * nowhere.
 */
export const ISSUE: SetStatement<NewRecord> = {
  name: 'license-service-issue',
  text: `
  with ${ASKED}, issued as (${insertOf('license_service.policies')}
    on conflict (id) do update set key_hash = excluded.key_hash, key_masked = excluded.key_masked
    returning l.id, l.revoked_at
  )
  select a.place, i.revoked_at as "revokedAt" from asked a join issued i on i.id = a.id`,
  values: arraysOf(RECORDED),
};

/** The policies of the editions in `asked a`. Creates those of editions sold for the first time. */
const WITH_POLICIES = `sold_first as (
    insert into license_service.policies (id, edition, created_at)
    select gen_random_uuid(), a.edition, min(a.at) from asked a
     where not exists (select 1 from license_service.policies p where p.edition = a.edition)
     group by a.edition order by a.edition
    -- What somebody else sold first a moment ago is not seen here, and has an id already.
    on conflict (edition) do update set edition = excluded.edition
    returning id, edition
  ), policy as (
    select id, edition from license_service.policies union all select id, edition from sold_first
  )`;

/** Inserts records that do not exist yet. Fails if one exists or its key belongs to another. */
export const RECORD: SetStatement<NewRecord> = {
  name: 'license-service-record',
  text: `
  with ${ASKED}, ${WITH_POLICIES}, recorded as (${insertOf('policy')}
    returning l.id
  )
  select a.place from asked a where ${requireAllRows('recorded', '$1')}`,
  values: arraysOf(RECORDED),
};

export const SUSPENDED = changeOf<boolean>('suspended', 'boolean', 'suspended = asked.value');
export const EXPIRY = changeOf<Date | null>('expiry', 'timestamptz', 'expires_at = asked.value');

interface EditionChange {
  readonly edition: string;
  readonly at: Date;
}

const EDITION_CHANGE: Columns<RecordChange<EditionChange>> = {
  id: ['uuid', ({ id }) => id],
  edition: ['text', ({ value }) => value.edition],
  at: ['timestamptz', ({ value }) => value.at.toISOString()],
};
/** Fails if one of the licenses is revoked or unknown. */
export const EDITION: SetStatement<RecordChange<EditionChange>> = {
  name: 'license-service-edition',
  text: `
  with asked as (select * from ${relationOf(EDITION_CHANGE)} as asked), ${WITH_POLICIES}, changed as (
    update license_service.licenses l set policy_id = p.id
      from asked a join policy p on p.edition = a.edition
     where l.id = a.id and l.revoked_at is null returning a.place
  )
  select place from changed where ${requireAllRows('changed', '$1')}`,
  values: arraysOf(EDITION_CHANGE),
};
const SEQUENCE = "(asked.value->>'sequence')::bigint";
export const METADATA = changeOf<LicenseMetadata>(
  'metadata',
  'jsonb',
  `metadata = case when metadata_sequence <= ${SEQUENCE} then asked.value else metadata end,
   metadata_sequence = greatest(metadata_sequence, ${SEQUENCE})`,
  (metadata) => JSON.stringify(metadata),
);
const REVOCATION: Columns<RecordChange<Date>> = {
  id: ['uuid', ({ id }) => id],
  at: ['timestamptz', ({ value }) => value.toISOString()],
};
export const REVOKED: SetStatement<RecordChange<Date>> = {
  name: 'license-service-revoke',
  text: `update license_service.licenses l set revoked_at = coalesce(l.revoked_at, asked.at)
      from ${relationOf(REVOCATION)} as asked where l.id = asked.id returning asked.place`,
  values: arraysOf(REVOCATION),
};

/** Fails if one of the licenses is revoked or unknown. */
function changeOf<V>(
  what: string,
  type: string,
  assignments: string,
  stored: (value: V) => unknown = (value) => value,
): SetStatement<RecordChange<V>> {
  const asked: Columns<RecordChange<V>> = {
    id: ['uuid', ({ id }) => id],
    value: [type, ({ value }) => stored(value)],
  };
  return {
    name: `license-service-${what}`,
    text: `with changed as (
      update license_service.licenses l set ${assignments}
        from ${relationOf(asked)} as asked
       where l.id = asked.id and l.revoked_at is null returning asked.place
    ) select place from changed where ${requireAllRows('changed', '$1')}`,
    values: arraysOf(asked),
  };
}
