import type { BillingDate } from '#kernel/time/calendar-date';
import type { Uuid } from '#kernel/crypto/uuid';

export const METADATA_SYNC_STATES = ['pending', 'synced', 'failed'] as const;

/** Whether the license service knows the new owner; `failed` is still retried from time to time. */
export type MetadataSync = (typeof METADATA_SYNC_STATES)[number];

/** A transfer of a license from one owner to another. */
export interface Transfer {
  readonly id: Uuid;
  /** Number in the humanId `T-<number>`. */
  readonly number: number;
  readonly licenseId: Uuid;
  readonly licenseNumber: number;
  readonly fromPartnerId: Uuid;
  readonly fromCustomerId: Uuid;
  readonly fromContractId: Uuid;
  readonly toPartnerId: Uuid;
  readonly toCustomerId: Uuid;
  readonly toContractId: Uuid;
  readonly reason: string;
  /** The first day of the new owner. */
  readonly effectiveDate: BillingDate;
  readonly metadataSync: MetadataSync;
  /** The calling token; null for the system. */
  readonly createdBy: Uuid | null;
  readonly createdAt: Date;
}
