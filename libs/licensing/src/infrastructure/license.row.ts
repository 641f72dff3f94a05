import { storedDay } from '#platform/database/stored-day';
import type { Uuid } from '#kernel/crypto/uuid';
import type { LicenseRecord } from '../domain/license.js';
import type { LicenseState, RunningState } from '../domain/license-state.js';

/** The selected columns of `licensing.licenses` with the alias `l`. */
export const LICENSE_COLUMNS = `l.id, l.number, l.partner_id, l.customer_id, l.contract_id, l.upstream_license_id,
  l.key_masked, l.edition, l.state, l.suspended_from, l.expires_on::text, l.external_billing_ref, l.metadata,
  l.issued_at, l.terminated_at, l.last_transfer_on::text, l.owner_sequence, l.last_operation_id, l.ledger_length, l.ledger_head`;

/** The condition that a license `l` is in the subtree of the given partner expression. */
export const inSubtree = (root: string) =>
  `exists (select 1 from partners.subtrees s where s.ancestor_id = ${root} and s.descendant_id = l.partner_id)`;

export interface LicenseRow {
  readonly id: Uuid;
  readonly number: string;
  readonly partner_id: Uuid;
  readonly customer_id: Uuid;
  readonly contract_id: Uuid;
  readonly upstream_license_id: Uuid;
  readonly key_masked: string;
  readonly edition: string;
  readonly state: LicenseState;
  readonly suspended_from: RunningState | null;
  readonly expires_on: string | null;
  readonly external_billing_ref: string;
  readonly metadata: string;
  readonly issued_at: Date;
  readonly terminated_at: Date | null;
  readonly last_transfer_on: string | null;
  readonly owner_sequence: number;
  readonly last_operation_id: Uuid | null;
  readonly ledger_length: number;
  readonly ledger_head: Buffer;
}

export function toLicense(row: LicenseRow): LicenseRecord {
  return {
    id: row.id,
    number: Number(row.number),
    partnerId: row.partner_id,
    customerId: row.customer_id,
    contractId: row.contract_id,
    upstreamLicenseId: row.upstream_license_id,
    keyMasked: row.key_masked,
    edition: row.edition,
    state: row.state,
    suspendedFrom: row.suspended_from,
    expiresOn: storedDay(row.expires_on),
    externalBillingRef: row.external_billing_ref,
    metadata: row.metadata,
    issuedAt: row.issued_at,
    terminatedAt: row.terminated_at,
    lastTransferOn: storedDay(row.last_transfer_on),
    ownerSequence: row.owner_sequence,
    lastOperationId: row.last_operation_id,
    ledger: { length: row.ledger_length, hash: row.ledger_head },
  };
}
