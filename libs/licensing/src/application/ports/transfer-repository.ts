import type { UnitOfWork } from '#kernel/transactions';
import type { Uuid } from '#kernel/crypto/uuid';
import type { LicenseChange } from '../../domain/license.js';
import type { Transfer } from '../../domain/transfer.js';

export type NewTransfer = Omit<Transfer, 'number' | 'licenseNumber' | 'metadataSync'>;

export abstract class TransferRepository {
  abstract find(id: Uuid): Promise<Transfer | null>;
  /**
   * Records the transfer, gives the days from its effective day on to the new contract, moves the license in every
   * list, draws a slot of the new
   * contract's pack the first time the license comes to it, and asks that the license service be told.
   * @param eventIds the ledger events that `LicenseRepository.write` gave for the same change
   */
  abstract insert(
    unit: UnitOfWork,
    transfer: NewTransfer,
    change: LicenseChange,
    eventIds: { readonly out: number; readonly in: number },
    drawsFromPack: boolean,
  ): Promise<Transfer>;
}
