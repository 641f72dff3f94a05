import type { PartnerSubtree } from '#libs/partners';
import type { PageRequest } from '#kernel/page';
import type { Uuid } from '#kernel/crypto/uuid';
import type { Contact } from '../domain/contact.js';
import type { CustomerNote } from '../domain/customer-note.js';
import type { Customer, CustomerStatus } from '../domain/customer.js';

/** All given conditions must match. A partner outside the subtree has no customers here. */
export interface CustomerFilter {
  readonly status?: CustomerStatus;
  /** Exactly this reference; empty selects customers without one. */
  readonly externalRef?: string;
  readonly partnerId?: Uuid;
  /** Part of the name, legal name, e-mail address or external reference, ignoring case. */
  readonly q?: string;
}

/** Queries of the routes. A deleted customer does not exist. */
export abstract class CustomerQueries {
  /** @throws NotFound if the subtree has no such customer */
  abstract get(subtree: PartnerSubtree, id: Uuid): Promise<Customer>;
  /** The customer `C-<number>`; null if the subtree has none. For staff, who look customers up by number. */
  abstract numbered(subtree: PartnerSubtree, number: number): Promise<Customer | null>;
  /**
   * Newest first, by creation time and id.
   * @throws NotFound if `page.after` is not a customer of the subtree; a deleted customer is still a valid position
   */
  abstract list(subtree: PartnerSubtree, filter: CustomerFilter, page: PageRequest): Promise<Customer[]>;
}

export abstract class ContactQueries {
  /**
   * The primary contact first, the others newest first.
   * @throws NotFound if the subtree has no such customer
   */
  abstract list(subtree: PartnerSubtree, customerId: Uuid): Promise<Contact[]>;
}

export abstract class NoteQueries {
  /**
   * The 50 newest, newest first.
   * @throws NotFound if the subtree has no such customer
   */
  abstract newest(subtree: PartnerSubtree, customerId: Uuid): Promise<CustomerNote[]>;
}
