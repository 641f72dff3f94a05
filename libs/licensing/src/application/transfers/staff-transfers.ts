import { Injectable } from '@nestjs/common';
import { Partners, PartnerSubtree, PartnerTree } from '#libs/partners';
import { NotFound } from '#kernel/errors';
import type { Uuid } from '#kernel/crypto/uuid';
import { LicenseRepository } from '../ports/license-repository.js';
import { LicenseTransfers, type TransferLicense } from './license-transfers.js';
import type { TransferView } from './transfer-view.js';

/** Transfers by staff, who may move any license and backdate a transfer as far as its history allows. */
@Injectable()
export class StaffTransfers {
  constructor(
    private readonly licenses: LicenseRepository,
    private readonly partners: Partners,
    private readonly tree: PartnerTree,
    private readonly transfers: LicenseTransfers,
  ) {}

  /**
   * @param by who transfers it; the ledger stores the name
   * @throws NotFound if there is no such license or partner, or no partner is above both owners
   * @throws Invalid, Conflict as `LicenseTransfers.transfer`
   */
  async transfer(wanted: TransferLicense, by: string): Promise<TransferView> {
    const license = await this.licenses.find(wanted.licenseId);
    if (!license) throw new NotFound();
    const subtree = await this.commonSubtree(license.partnerId, wanted.toPartnerId);
    return this.transfers.transfer({ subtree, name: by, operationId: null }, null, wanted);
  }

  private async commonSubtree(from: Uuid, to: Uuid): Promise<PartnerSubtree> {
    let partner = await this.partners.find(to);
    while (partner) {
      const subtree = PartnerSubtree.of(partner.id);
      if (await this.tree.contains(subtree, from)) return subtree;
      partner = partner.parentId === null ? null : await this.partners.find(partner.parentId);
    }
    throw new NotFound();
  }
}
