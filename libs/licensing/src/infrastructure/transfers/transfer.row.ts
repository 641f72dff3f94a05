import { storedDay } from '#platform/database/stored-day';
import type { Uuid } from '#kernel/crypto/uuid';
import type { MetadataSync, Transfer } from '../../domain/transfer.js';

/** The selected columns of `licensing.transfers`, with the alias `t`, and of its license, `l`. */
export const TRANSFER_COLUMNS = `t.id, t.number, t.license_id, l.number as license_number, t.from_partner_id,
  t.from_customer_id, t.from_contract_id, t.to_partner_id, t.to_customer_id, t.to_contract_id, t.reason,
  t.effective_date::text, t.metadata_sync, t.created_by, t.created_at`;

export interface TransferRow {
  readonly id: Uuid;
  readonly number: string;
  readonly license_id: Uuid;
  readonly license_number: string;
  readonly from_partner_id: Uuid;
  readonly from_customer_id: Uuid;
  readonly from_contract_id: Uuid;
  readonly to_partner_id: Uuid;
  readonly to_customer_id: Uuid;
  readonly to_contract_id: Uuid;
  readonly reason: string;
  readonly effective_date: string;
  readonly metadata_sync: MetadataSync;
  readonly created_by: Uuid | null;
  readonly created_at: Date;
}

export function toTransfer(row: TransferRow): Transfer {
  return {
    id: row.id,
    number: Number(row.number),
    licenseId: row.license_id,
    licenseNumber: Number(row.license_number),
    fromPartnerId: row.from_partner_id,
    fromCustomerId: row.from_customer_id,
    fromContractId: row.from_contract_id,
    toPartnerId: row.to_partner_id,
    toCustomerId: row.to_customer_id,
    toContractId: row.to_contract_id,
    reason: row.reason,
    effectiveDate: storedDay(row.effective_date),
    metadataSync: row.metadata_sync,
    createdBy: row.created_by,
    createdAt: row.created_at,
  };
}
