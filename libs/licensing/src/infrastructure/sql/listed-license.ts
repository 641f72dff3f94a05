import type { TextRow } from '#platform/database/connections/page-connections';
import { humanId } from '#kernel/text/human-id';
import type { Uuid } from '#kernel/crypto/uuid';
import type { LicenseView } from '../../application/license-view.js';
import type { LicenseState } from '../../domain/license-state.js';

/**
 * The columns of license `l` in the order that `listed` expects. Decoding columns is the largest cost of a page, so
 * values that cannot contain the separator are concatenated.
 * @param today SQL expression of the day that decides whether a trial has expired
 */
export const listedColumns = (today: string) => `
  concat(l.id, l.partner_id, l.customer_id, l.contract_id, l.upstream_license_id),
  concat_ws('|', l.number, case when l.state = 'trial' and l.expires_on < ${today}::date then 'expired' else l.state end,
    l.issued_at at time zone 'UTC', l.terminated_at at time zone 'UTC'),
  l.key_masked, l.edition, l.external_billing_ref, l.metadata`;

/** Characters of a UUID. */
const ID = 36;

/** Same result as `licenseView`, from the columns of `listedColumns`. */
export function listed([ids, facts, keyMasked, edition, externalBillingRef, metadata]: TextRow): LicenseView {
  const id = (n: number) => ids?.slice(n * ID, (n + 1) * ID) as Uuid;
  const [number, state, issuedAt, terminatedAt] = facts?.split('|') ?? [];
  return {
    id: id(0),
    humanId: humanId('license', Number(number)),
    partnerId: id(1),
    customerId: id(2),
    contractId: id(3),
    upstreamLicenseId: id(4),
    keyMasked: keyMasked ?? '',
    edition: edition ?? '',
    state: state as LicenseState,
    externalBillingRef: externalBillingRef ?? '',
    metadata: metadata ?? '',
    issuedAt: instant(issuedAt),
    terminatedAt: terminatedAt === undefined ? null : instant(terminatedAt),
  };
}

/** From PostgreSQL's `2026-03-01 10:00:00.12`, in UTC. */
function instant(text: string | undefined): Date {
  return new Date(`${text?.slice(0, 10)}T${text?.slice(11)}Z`);
}
