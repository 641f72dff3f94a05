import type { Uuid } from '#kernel/crypto/uuid';
import type { Contact, NewContact } from '../../domain/contact.js';

/**
 * The contacts of a customer that the caller has locked, within its subtree, with `CustomerRepository.getForUpdate`.
 */
export abstract class ContactRepository {
  abstract insert(contact: NewContact): Promise<Contact>;
  /** Null also for a contact of another customer. */
  abstract find(customerId: Uuid, id: Uuid): Promise<Contact | null>;
  abstract update(contact: Contact): Promise<void>;
  /** Removes the primary role from the contact that has it, if any. */
  abstract demotePrimary(customerId: Uuid, at: Date): Promise<void>;
  /** @returns false if the customer has no such contact */
  abstract remove(customerId: Uuid, id: Uuid): Promise<boolean>;
}
