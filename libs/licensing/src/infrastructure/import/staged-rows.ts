import { storedDay } from '#platform/database/stored-day';
import type { Uuid } from '#kernel/crypto/uuid';
import type {
  ContractFacts,
  NamedOwner,
  PastEvent,
  PastLicense,
  PastTransfer,
} from '../../application/import/past-license.js';
import type { LedgerEventType } from '../../domain/ledger-event.js';
import type { LicenseState } from '../../domain/license-state.js';

interface OwnerRow {
  readonly partner_id: Uuid;
  readonly customer_id: Uuid;
  readonly contract_id: Uuid;
  readonly customer_partner_id: Uuid;
  readonly contract_partner_id: Uuid;
  readonly model: string;
  readonly valid_to: string | null;
  readonly draws: boolean;
  readonly editions: readonly string[];
}

/** Expects the customer's facts as `c` and the contract's as `k`. */
export const ownerColumns = (prefix: string, field: (name: string) => string): string => `
  ${prefix}."${field('partnerId')}" as partner_id, ${prefix}."${field('customerId')}" as customer_id,
  ${prefix}."${field('contractId')}" as contract_id, c.partner_id as customer_partner_id,
  k.partner_id as contract_partner_id, k.model, k.valid_to::text, k.pack_size is not null as draws, k.editions`;

export interface StagedLicenseRow extends OwnerRow {
  readonly line: number;
  readonly id: Uuid;
  readonly upstream_id: Uuid | null;
  readonly key_hash: string | null;
  readonly key_masked: string;
  readonly sealed_key: Buffer | null;
  readonly edition: string;
  readonly billing_ref: string;
  readonly state: LicenseState;
  readonly issued_at: Date;
  readonly terminated_at: Date | null;
  readonly suspended_at: Date | null;
  readonly expired_at: Date | null;
}

export interface StagedEventRow {
  readonly of: number | Uuid;
  readonly line: number;
  readonly event: LedgerEventType;
  readonly at: Date;
  readonly actor: string | null;
}

export interface StagedTransferRow extends OwnerRow {
  readonly of: number | Uuid;
  readonly line: number;
  readonly id: Uuid;
  readonly effective_on: string;
  readonly reason: string;
  readonly recorded_at: Date | null;
}

export function toPastLicense(row: StagedLicenseRow): PastLicense {
  return {
    line: row.line,
    id: row.id,
    upstreamLicenseId: row.upstream_id,
    keyHash: row.key_hash,
    keyMasked: row.key_masked,
    sealedKey: row.sealed_key,
    edition: row.edition,
    externalBillingRef: row.billing_ref,
    owner: toOwner(row),
    state: row.state,
    issuedAt: row.issued_at,
    terminatedAt: row.terminated_at,
    suspendedAt: row.suspended_at,
    expiredAt: row.expired_at,
  };
}

export function toPastEvent({ line, event, at, actor }: StagedEventRow): PastEvent {
  return { line, event, at, actor: actor || null };
}

export function toPastTransfer(row: StagedTransferRow): PastTransfer {
  return {
    line: row.line,
    id: row.id,
    to: toOwner(row),
    effectiveOn: storedDay(row.effective_on),
    reason: row.reason,
    recordedAt: row.recorded_at,
  };
}

function toOwner(row: OwnerRow): NamedOwner {
  const contract: ContractFacts = {
    partnerId: row.contract_partner_id,
    isTrial: row.model === 'trial',
    validTo: storedDay(row.valid_to),
    drawsFromPack: row.draws,
    editions: row.editions,
  };
  return {
    partnerId: row.partner_id,
    customerId: row.customer_id,
    contractId: row.contract_id,
    customerPartnerId: row.customer_partner_id,
    contract,
  };
}
