import type { Uuid } from '#kernel/crypto/uuid';
import type { LicenseChange } from '../../domain/license.js';
import type { Transfer } from '../../domain/transfer.js';

export type NewTransfer = Omit<Transfer, 'number' | 'licenseNumber' | 'metadataSync'>;

export abstract class TransferRepository {
  abstract find(id: Uuid): Promise<Transfer | null>;
  /**
   * Whether a transfer moved the license from the partner, on another contract than that one, from a day on that was
   * over when it was recorded.
   */
  abstract tookPastDays(licenseId: Uuid, from: { partnerId: Uuid; otherThanContractId: Uuid }): Promise<boolean>;
  /**
   * Records the transfer, moves the license in every list, and asks that the license service be told. The license and
   * its days are written by `LicenseWriter`.
   */
  abstract insert(transfer: NewTransfer, change: LicenseChange): Promise<Transfer>;
}
