import { Injectable } from '@nestjs/common';
import { PartnerTree, type PartnerSubtree } from '#libs/partners';
import { Clock } from '#kernel/time/clock';
import { Conflict, NotFound } from '#kernel/errors';
import { Randomness } from '#kernel/crypto/randomness';
import { Transactions } from '#kernel/transactions';
import type { Uuid } from '#kernel/crypto/uuid';
import { customerChanges, newCustomerDetails, type Customer, type CustomerDetails } from '../domain/customer.js';
import type { CustomerRef } from './customer-directory.js';
import { CustomerRepository } from './ports/customer-repository.js';
import { LicenseCensus } from './ports/license-census.js';

@Injectable()
export class Customers {
  constructor(
    private readonly repository: CustomerRepository,
    private readonly tree: PartnerTree,
    private readonly licenses: LicenseCensus,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /**
   * @param partnerId the customer's partner
   * @throws NotFound if that partner is outside the subtree
   */
  create(
    subtree: PartnerSubtree,
    partnerId: Uuid,
    input: Partial<CustomerDetails> & Pick<CustomerDetails, 'name'>,
  ): Promise<Customer> {
    return this.transactions.run(async () => {
      await this.tree.lockTreeForShare();
      if (!(await this.tree.contains(subtree, partnerId))) throw new NotFound();
      const details = newCustomerDetails(input);
      return this.repository.insert({
        ...details,
        id: this.randomness.uuid(),
        partnerId,
        createdAt: this.clock.now(),
      });
    });
  }

  /**
   * Changes the given values and keeps the rest.
   * @throws NotFound if the subtree has no such customer
   */
  update(subtree: PartnerSubtree, id: Uuid, input: Partial<CustomerDetails>): Promise<Customer> {
    return this.transactions.run(async () => {
      const customer = await this.existing(subtree, id);
      const changes = customerChanges(input);
      await this.repository.update(customer, changes);
      return { ...customer, ...changes };
    });
  }

  /**
   * Removes the customer from every list and look-up; its history and billing remain.
   * @throws NotFound if the subtree has no such customer
   * @throws Conflict `customer-has-live-licenses` while one of its licenses is neither terminated nor expired
   */
  delete(subtree: PartnerSubtree, id: Uuid): Promise<void> {
    return this.transactions.run(async () => {
      await this.tree.lockTreeForShare();
      const customer = await this.existing(subtree, id);
      if (await this.licenses.hasLiveLicenses(id)) {
        throw new Conflict(
          'customer-has-live-licenses',
          'The customer has licenses that are neither terminated nor expired. Terminate them first.',
        );
      }
      await this.repository.remove(customer, this.clock.now());
    });
  }

  /**
   * Prevents the customer's deletion until the transaction ends, for callers about to attach a license. So either the
   * deletion sees the license, or the license is refused.
   * @throws NotFound if the subtree has no such customer
   */
  async lockForIssue(subtree: PartnerSubtree, id: Uuid): Promise<CustomerRef> {
    const customer = await this.repository.getForShare(subtree, id);
    if (!customer) throw new NotFound();
    return customer;
  }

  /**
   * Reads the current customer without a lock, for callers whose write fails if the customer is deleted meanwhile.
   * @throws NotFound if the subtree has no such customer
   */
  async lookForIssue(subtree: PartnerSubtree, id: Uuid): Promise<CustomerRef> {
    const customer = await this.repository.look(subtree, id);
    if (!customer) throw new NotFound();
    return customer;
  }

  private async existing(subtree: PartnerSubtree, id: Uuid): Promise<Customer> {
    const customer = await this.repository.getForUpdate(subtree, id);
    if (!customer) throw new NotFound();
    return customer;
  }
}
