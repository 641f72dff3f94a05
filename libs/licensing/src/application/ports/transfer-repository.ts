import type { Uuid } from '#kernel/crypto/uuid';
import type { LicenseChange } from '../../domain/license.js';
import type { Transfer } from '../../domain/transfer.js';

export type NewTransfer = Omit<Transfer, 'number' | 'licenseNumber' | 'metadataSync'>;

export abstract class TransferRepository {
  abstract find(id: Uuid): Promise<Transfer | null>;
  /**
   * Whether a transfer moved the license from the partner, on a contract other than the given one, as of a day that was
   * past when it was recorded.
   */
  abstract tookPastDays(licenseId: Uuid, from: { partnerId: Uuid; otherThanContractId: Uuid }): Promise<boolean>;
  /**
   * Records the transfer, moves the license in every list, and requests a sync with the license service.
   * `LicenseWriter` writes the license and its days.
   */
  abstract insert(transfer: NewTransfer, change: LicenseChange): Promise<Transfer>;
}
