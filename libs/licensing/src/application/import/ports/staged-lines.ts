import type { BillingContract } from '#libs/billing';
import type { Contact, Customer } from '#libs/customers';
import type { Partner } from '#libs/partners';
import type { Uuid } from '#kernel/crypto/uuid';
import type { PastEvent, PastLicense, PastTransfer } from '../past-license.js';

export interface StagedHistory {
  readonly license: PastLicense;
  /** In the order of the file, like the transfers. */
  readonly events: readonly PastEvent[];
  readonly transfers: readonly PastTransfer[];
}

/** Lines about a license that existed before the import. */
export interface StagedContinuation {
  readonly licenseId: Uuid;
  readonly events: readonly PastEvent[];
  readonly transfers: readonly PastTransfer[];
}

/**
 * The new staged lines as domain records, some thousand at a time, in the order of the file. Lines with dangling
 * references are left out.
 */
export abstract class StagedLines {
  /**
   * Parents come in an earlier batch than their children.
   * @param now used if a line has no time of its own
   */
  abstract partners(now: Date): AsyncIterable<readonly Partner[]>;
  abstract contracts(now: Date): AsyncIterable<readonly BillingContract[]>;
  abstract customers(now: Date): AsyncIterable<readonly Omit<Customer, 'humanId'>[]>;
  abstract contacts(now: Date): AsyncIterable<readonly Omit<Contact, 'humanId'>[]>;
  abstract histories(): AsyncIterable<readonly StagedHistory[]>;
  abstract continuations(): AsyncIterable<readonly StagedContinuation[]>;
}
