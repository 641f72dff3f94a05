import type { Uuid } from '#kernel/crypto/uuid';
import type { Contact, NewContact } from '../../domain/contact.js';

/** The contacts of a customer that the caller has locked, within its subtree, by `CustomerRepository.getForUpdate`. */
export abstract class ContactRepository {
  abstract insert(contact: NewContact): Promise<Contact>;
  /** Null also for a contact of another customer. */
  abstract find(customerId: Uuid, id: Uuid): Promise<Contact | null>;
  abstract update(contact: Contact): Promise<void>;
  /** Takes the primary role from whoever holds it, if anybody does. */
  abstract demotePrimary(customerId: Uuid, at: Date): Promise<void>;
  /** @returns false when the customer has no such contact */
  abstract remove(customerId: Uuid, id: Uuid): Promise<boolean>;
}
