import { Injectable } from '@nestjs/common';
import type { PartnerSubtree } from '#libs/partners';
import { Clock } from '#kernel/time/clock';
import { NotFound } from '#kernel/errors';
import { Randomness } from '#kernel/crypto/randomness';
import { Transactions } from '#kernel/transactions';
import type { Uuid } from '#kernel/crypto/uuid';
import { changedContactDetails, newContactDetails, type Contact, type ContactDetails } from '../domain/contact.js';
import { ContactRepository } from './ports/contact-repository.js';
import { CustomerRepository } from './ports/customer-repository.js';

/**
 * The contacts of a customer. Every change locks the customer first, so that changes of its contacts run one after the
 * other and cannot overlap with the customer's deletion.
 */
@Injectable()
export class Contacts {
  constructor(
    private readonly customers: CustomerRepository,
    private readonly contacts: ContactRepository,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /**
   * A primary contact replaces the previous one, in the same transaction.
   * @throws Invalid if neither a first nor a last name is given
   * @throws NotFound if the subtree has no such customer
   */
  create(subtree: PartnerSubtree, customerId: Uuid, input: Partial<ContactDetails>): Promise<Contact> {
    const details = newContactDetails(input);
    return this.changing(subtree, customerId, async () => {
      const now = this.clock.now();
      if (details.isPrimary) await this.contacts.demotePrimary(customerId, now);
      const id = this.randomness.uuid();
      return this.contacts.insert({ ...details, id, customerId, createdAt: now, updatedAt: now });
    });
  }

  /**
   * Changes the given values and keeps the rest.
   * @throws NotFound if the subtree has no such customer, or the customer no such contact
   * @throws Invalid if the change would leave the contact without a name
   */
  update(subtree: PartnerSubtree, customerId: Uuid, id: Uuid, input: Partial<ContactDetails>): Promise<Contact> {
    return this.changing(subtree, customerId, async () => {
      const contact = await this.contacts.find(customerId, id);
      if (!contact) throw new NotFound();
      const details = changedContactDetails(contact, input);
      const now = this.clock.now();
      if (details.isPrimary && !contact.isPrimary) await this.contacts.demotePrimary(customerId, now);
      const changed = { ...contact, ...details, updatedAt: now };
      await this.contacts.update(changed);
      return changed;
    });
  }

  /** @throws NotFound if the subtree has no such customer, or the customer no such contact */
  remove(subtree: PartnerSubtree, customerId: Uuid, id: Uuid): Promise<void> {
    return this.changing(subtree, customerId, async () => {
      if (!(await this.contacts.remove(customerId, id))) throw new NotFound();
    });
  }

  private changing<T>(subtree: PartnerSubtree, customerId: Uuid, work: () => Promise<T>): Promise<T> {
    return this.transactions.run(async () => {
      if (!(await this.customers.getForUpdate(subtree, customerId))) throw new NotFound();
      return work();
    });
  }
}
