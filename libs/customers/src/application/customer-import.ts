import type { NewContact } from '../domain/contact.js';
import type { NewCustomer } from '../domain/customer.js';

/** Imports customers and contacts from an older system, many at a time, in the caller's transaction. */
export abstract class CustomerImport {
  /** The caller's transaction locks the shape of the partner tree. */
  abstract insertCustomers(customers: readonly NewCustomer[]): Promise<void>;
  /** A primary contact replaces the previous one; the last of those given wins. The caller has locked the customers. */
  abstract insertContacts(contacts: readonly NewContact[]): Promise<void>;
}
