import type { TextRow } from '#platform/database/connections/page-connections';
import type { LicensePage } from '../../application/license-queries.js';
import type { Uuid } from '#kernel/crypto/uuid';

/**
 * What is shown of the license `l`, in the order in which `listed` takes it. Taking a row apart into columns costs
 * more than anything else of a page: what cannot hold a separator comes together. The expression gives the day that
 * decides whether a trial has expired.
 */
export const listedColumns = (today: string) => `
  concat(l.id, l.partner_id, l.customer_id, l.contract_id, l.upstream_license_id),
  concat_ws('|', l.number, case when l.state = 'trial' and l.expires_on < ${today}::date then 'expired' else l.state end,
    l.issued_at at time zone 'UTC', l.terminated_at at time zone 'UTC'),
  l.key_masked, l.edition, l.external_billing_ref, l.metadata`;

/** Characters of a UUID. */
const ID = 36;

/** Needs no escape in JSON. */
const PLAIN = /^[^\x00-\x1f"\\\ud800-\udfff]*$/;

export function pageOfRows(rows: readonly TextRow[]): LicensePage {
  const licenses = rows.map(([ids]) => ({ id: ids?.slice(0, ID) as Uuid }));
  return { licenses, json: rows.map(listed) };
}

/**
 * The JSON of what `licenseView` gives, in the same order, straight from the texts of a row: two hundred of them are a
 * page. Ids, numbers, states and instants hold nothing that needs an escape.
 */
export function listed([ids, facts, keyMasked, edition, externalBillingRef, metadata]: TextRow): string {
  const id = (n: number) => ids?.slice(n * ID, (n + 1) * ID);
  const [number, state, issuedAt, terminatedAt] = facts?.split('|') ?? [];
  return (
    `{"id":"${id(0)}","humanId":"L-${number}","partnerId":"${id(1)}","customerId":"${id(2)}","contractId":"${id(3)}",` +
    `"upstreamLicenseId":"${id(4)}","keyMasked":${quoted(keyMasked)},"edition":${quoted(edition)},"state":"${state}",` +
    `"externalBillingRef":${quoted(externalBillingRef)},"metadata":${quoted(metadata)},` +
    `"issuedAt":${instant(issuedAt)},"terminatedAt":${instant(terminatedAt)}}`
  );
}

function quoted(text: string | null | undefined): string {
  return text != null && PLAIN.test(text) ? `"${text}"` : JSON.stringify(text ?? null);
}

/** From PostgreSQL's `2026-03-01 10:00:00.12`, in UTC, to milliseconds as JavaScript writes them. */
function instant(text: string | undefined): string {
  if (text === undefined) return 'null';
  return `"${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, 23).padEnd(3, '0')}Z"`;
}
