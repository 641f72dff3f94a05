import type { NewContact } from '../domain/contact.js';
import type { NewCustomer } from '../domain/customer.js';

/** Takes over customers and contacts from an older system, many at a time, in the caller's transaction. */
export abstract class CustomerImport {
  /** The caller's transaction holds the shape of the partner tree. */
  abstract insertCustomers(customers: readonly NewCustomer[]): Promise<void>;
  /**
   * A primary contact takes the role from whoever has it, the last of those given keeps it. The caller holds the
   * customers.
   */
  abstract insertContacts(contacts: readonly NewContact[]): Promise<void>;
}
