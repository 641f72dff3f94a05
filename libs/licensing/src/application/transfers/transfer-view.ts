import type { BillingDate } from '#kernel/time/calendar-date';
import { humanId } from '#kernel/text/human-id';
import type { Uuid } from '#kernel/crypto/uuid';
import type { MetadataSync, Transfer } from '../../domain/transfer.js';

/** A transfer as a partner sees it; the partner may know only one of its ends. */
export interface TransferView {
  readonly id: Uuid;
  readonly humanId: string;
  readonly licenseId: Uuid;
  readonly licenseHumanId: string;
  readonly fromPartnerId: Uuid;
  /** Null for a caller whose subtree does not contain this end; likewise the other three. */
  readonly fromCustomerId: Uuid | null;
  readonly fromContractId: Uuid | null;
  readonly toPartnerId: Uuid;
  readonly toCustomerId: Uuid | null;
  readonly toContractId: Uuid | null;
  readonly reason: string;
  readonly effectiveDate: BillingDate;
  readonly status: 'completed';
  readonly metadataSync: MetadataSync;
  readonly createdBy: Uuid | null;
  readonly createdAt: Date;
}

export function transferView(transfer: Transfer, sees: { readonly from: boolean; readonly to: boolean }): TransferView {
  const { number, licenseNumber, ...fields } = transfer;
  return {
    ...fields,
    humanId: humanId('transfer', number),
    licenseHumanId: humanId('license', licenseNumber),
    fromCustomerId: sees.from ? transfer.fromCustomerId : null,
    fromContractId: sees.from ? transfer.fromContractId : null,
    toCustomerId: sees.to ? transfer.toCustomerId : null,
    toContractId: sees.to ? transfer.toContractId : null,
    status: 'completed',
  };
}
