import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/transactions';
import type { Uuid } from '#kernel/crypto/uuid';
import { endOf } from '../issuing/orders.js';
import { KeptKeys } from '../ports/kept-keys.js';
import { LicenseRepository } from '../ports/license-repository.js';
import { LicenseService } from '../ports/license-service.js';

/** Sends the key of an imported license to the license service, which creates the license's record with it. */
@Injectable()
export class KeyDelivery {
  constructor(
    private readonly keys: KeptKeys,
    private readonly licenses: LicenseRepository,
    private readonly service: LicenseService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Does nothing for a license without a stored key. Also runs while a change of the license is pending, because that
   * change may need the record.
   * @throws Unavailable if the license service does not accept it; the key stays stored
   */
  async deliver(licenseId: Uuid): Promise<void> {
    const key = await this.keys.find(licenseId);
    if (!key) return;
    const record = await this.licenses.find(licenseId);
    if (record && record.state !== 'terminated') {
      const { upstreamLicenseId, edition, partnerId, customerId, contractId, ownerSequence: sequence } = record;
      const metadata = { partnerId, customerId, contractId, sequence };
      await this.service.issue({ upstreamLicenseId, edition, expiresAt: endOf(record.expiresOn), metadata, key });
    }
    await this.transactions.run(() => this.keys.forget(licenseId));
  }
}
