import type { PartnerSubtree } from '#libs/partners';
import type { Uuid } from '#kernel/crypto/uuid';
import type { CustomerRef } from '../customer-directory.js';
import type { Customer, CustomerDetails, NewCustomer } from '../../domain/customer.js';

/** Deleted customers are never returned. Callers of `insert` and `remove` must lock the partner tree. */
export abstract class CustomerRepository {
  abstract insert(customer: NewCustomer): Promise<Customer>;
  /** Locks the customer against every other change, and against `getForShare`, until the transaction ends. */
  abstract getForUpdate(subtree: PartnerSubtree, id: Uuid): Promise<Customer | null>;
  /** Prevents changes and deletion until the transaction ends; many transactions may hold it at once. */
  abstract getForShare(subtree: PartnerSubtree, id: Uuid): Promise<CustomerRef | null>;
  /** The current customer, read outside any transaction. The later write must check it again. */
  abstract look(subtree: PartnerSubtree, id: Uuid): Promise<CustomerRef | null>;
  /** @param customer locked by `getForUpdate` */
  abstract update(customer: Customer, changes: Partial<CustomerDetails>): Promise<void>;
  /** @param customer locked by `getForUpdate`; its rows stay, for history and billing */
  abstract remove(customer: Customer, at: Date): Promise<void>;
}
