import type { TextRow } from '#platform/database/page-connections';
import type { LicensePage } from '../application/license-queries.js';
import type { Uuid } from '#kernel/uuid';

/**
 * What a list shows of the license `l`, in the order in which `licenseJson` takes it. The expression gives the day that
 * decides whether a trial has expired.
 */
export const listedColumns = (today: string) => `l.id, l.number, l.partner_id, l.customer_id, l.contract_id,
  l.upstream_license_id, l.key_masked, l.edition,
  case when l.state = 'trial' and l.expires_on < ${today}::date then 'expired' else l.state end,
  l.external_billing_ref, l.metadata, l.issued_at at time zone 'UTC', l.terminated_at at time zone 'UTC'`;

/** Straight from texts to text: making objects of two hundred rows first costs more than finding them. */
export function pageOfRows(rows: readonly TextRow[]): LicensePage {
  return {
    licenses: rows.map(([id]) => ({ id: id as Uuid })),
    json: Buffer.from(`[${rows.map(licenseJson).join(',')}]`),
  };
}

/** As JSON what `licenseView` gives. */
function licenseJson(row: TextRow): string {
  const [id, number, partnerId, customerId, contractId, upstreamLicenseId, keyMasked, edition, state] = row;
  const [externalBillingRef, metadata, issuedAt, terminatedAt] = row.slice(9);
  return (
    `{"id":"${id}","humanId":"L-${number}","partnerId":"${partnerId}","customerId":"${customerId}",` +
    `"contractId":"${contractId}","upstreamLicenseId":"${upstreamLicenseId}","keyMasked":${JSON.stringify(keyMasked)},` +
    `"edition":${JSON.stringify(edition)},"state":"${state}",` +
    `"externalBillingRef":${JSON.stringify(externalBillingRef)},"metadata":${JSON.stringify(metadata)},` +
    `"issuedAt":${instantJson(issuedAt)},"terminatedAt":${instantJson(terminatedAt)}}`
  );
}

/** From PostgreSQL's `2026-03-01 10:00:00.12`, in UTC, to milliseconds as JavaScript writes them. */
function instantJson(text: string | null | undefined): string {
  if (text === null || text === undefined) return 'null';
  return `"${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, 23).padEnd(3, '0')}Z"`;
}
