import { Injectable } from '@nestjs/common';
import { Contracts, type BillingContract } from '#libs/billing';
import { Customers, type CustomerRef } from '#libs/customers';
import { PartnerTree, type PartnerSubtree } from '#libs/partners';
import { awaitBoth } from '#kernel/await-both';
import type { BillingDate } from '#kernel/time/calendar-date';
import { NotFound } from '#kernel/errors';
import type { Uuid } from '#kernel/crypto/uuid';
import { ContractOccupancy } from '../ports/contract-occupancy.js';

/**
 * Checks whether a customer may get a license on a contract: `look` before a conditional write, `hold` inside the
 * transaction that writes it.
 */
@Injectable()
export class LicenseAdmission {
  constructor(
    private readonly customers: Customers,
    private readonly contracts: Contracts,
    private readonly occupancy: ContractOccupancy,
    private readonly tree: PartnerTree,
  ) {}

  /**
   * The current customer and contract.
   * @throws NotFound if the subtree lacks one of them
   */
  async look(
    subtree: PartnerSubtree,
    { customerId, contractId }: { customerId: Uuid; contractId: Uuid },
  ): Promise<{ customer: CustomerRef; contract: BillingContract }> {
    const [customer, contract] = await awaitBoth(
      this.customers.lookForIssue(subtree, customerId),
      this.contracts.lookForIssuing(subtree, contractId),
    );
    return { customer, contract };
  }

  /**
   * Customer and contract, locked until the transaction ends as far as the license depends on them.
   * @throws NotFound if the subtree lacks one of them
   */
  async hold(
    subtree: PartnerSubtree,
    { partnerId, customerId, contractId }: { partnerId?: Uuid; customerId: Uuid; contractId: Uuid },
  ): Promise<{ customer: CustomerRef; contract: BillingContract }> {
    await this.tree.lockTreeForShare();
    if (partnerId && !(await this.tree.contains(subtree, partnerId))) throw new NotFound();
    const customer = await this.customers.lockForIssue(subtree, customerId);
    const contract = await this.contracts.lockForIssuing(subtree, contractId);
    return { customer, contract };
  }

  /**
   * @param contract locked by the caller
   * @param day from which the contract would have the license
   * @param licenseId the license, if it already exists
   * @param live whether it will be neither terminated nor expired
   * @throws Conflict `contract-cap-reached` or `pack-exhausted`
   */
  async assertRoom(contract: BillingContract, day: BillingDate, licenseId: Uuid | null, live: boolean): Promise<void> {
    const { id, licenseCap, packSize } = contract.state;
    const draws = packSize !== null && !(licenseId && (await this.occupancy.hasDrawn(id, licenseId)));
    contract.assertRoom({
      live: licenseCap !== null && live ? await this.occupancy.live(id, day) : 0,
      drawn: draws ? await this.occupancy.drawn(id) : 0,
    });
  }
}
