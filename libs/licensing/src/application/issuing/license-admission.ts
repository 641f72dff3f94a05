import { Injectable } from '@nestjs/common';
import { Contracts, type BillingContract } from '#libs/billing';
import { Customers, type CustomerRef } from '#libs/customers';
import { PartnerTree, type PartnerSubtree } from '#libs/partners';
import { awaitBoth } from '#kernel/await-both';
import type { BillingDate } from '#kernel/time/calendar-date';
import { NotFound } from '#kernel/errors';
import type { UnitOfWork } from '#kernel/transactions';
import type { Uuid } from '#kernel/crypto/uuid';
import { ContractOccupancy } from '../ports/contract-occupancy.js';

/** Whether a license may come to a customer on a contract. To be asked in the unit of work that brings it there. */
@Injectable()
export class LicenseAdmission {
  constructor(
    private readonly customers: Customers,
    private readonly contracts: Contracts,
    private readonly occupancy: ContractOccupancy,
    private readonly tree: PartnerTree,
  ) {}

  /**
   * Customer and contract as they are now. The unit of work that brings a license to them calls `keep`, or `hold` where
   * the contract is held to issue.
   * @throws NotFound when the subtree lacks one of them
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
   * As `hold`, after `look` and without an answer that has to be waited for.
   * @throws NotFound when the customer is deleted by now: `unit` fails with it, awaited or not
   */
  async keep(unit: UnitOfWork, customerId: Uuid): Promise<void> {
    await awaitBoth(this.tree.lockTreeForShare(unit), this.customers.keepForIssue(unit, customerId));
  }

  /**
   * Customer and contract, held until the transaction ends as far as the license depends on them.
   * @throws NotFound when the subtree lacks one of those that are named
   */
  async hold(
    unit: UnitOfWork,
    subtree: PartnerSubtree,
    { partnerId, customerId, contractId }: { partnerId?: Uuid; customerId: Uuid; contractId: Uuid },
  ): Promise<{ customer: CustomerRef; contract: BillingContract }> {
    const shape = this.tree.lockTreeForShare(unit);
    if (partnerId) {
      await shape;
      if (!(await this.tree.contains(subtree, partnerId))) throw new NotFound();
    }
    // Asked one after the other, as everywhere; no answer is waited for before the next is asked.
    const [customer, contract] = await Promise.all([
      this.customers.lockForIssue(unit, subtree, customerId),
      this.contracts.getForIssuing(unit, subtree, contractId),
      shape,
    ]);
    return { customer, contract };
  }

  /**
   * @param day on which the license would come to the contract, which is being held
   * @param licenseId the license when it exists already
   * @param live whether it will be neither terminated nor expired
   * @throws Conflict `contract-cap-reached` or `pack-exhausted`
   */
  async assertRoom(
    unit: UnitOfWork,
    contract: BillingContract,
    day: BillingDate,
    licenseId: Uuid | null,
    live: boolean,
  ): Promise<void> {
    const { id, licenseCap, packSize } = contract.state;
    const draws = packSize !== null && !(licenseId && (await this.occupancy.hasDrawn(unit, id, licenseId)));
    contract.assertRoom({
      live: licenseCap !== null && live ? await this.occupancy.live(unit, id, day) : 0,
      drawn: draws ? await this.occupancy.drawn(unit, id) : 0,
    });
  }
}
