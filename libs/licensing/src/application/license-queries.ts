import type { PartnerSubtree } from '#libs/partners';
import type { BillingDate } from '#kernel/time/calendar-date';
import type { PageRequest } from '#kernel/page';
import type { Uuid } from '#kernel/crypto/uuid';
import type { LicenseState } from '../domain/license-state.js';
import type { LicenseView } from './license-view.js';
import type { TransferView } from './transfers/transfer-view.js';

/** Every given condition must hold. */
export interface LicenseFilter {
  readonly state?: LicenseState;
  readonly edition?: string;
  readonly customerId?: Uuid;
  readonly contractId?: Uuid;
  readonly partnerId?: Uuid;
  readonly externalBillingRef?: string;
  /** Both inclusive. */
  readonly issuedFrom?: Date;
  readonly issuedTo?: Date;
}

/** What the routes read. @param today decides which trials have expired */
export abstract class LicenseQueries {
  /** @throws NotFound when the subtree has no such license */
  abstract get(subtree: PartnerSubtree, id: Uuid, today: BillingDate): Promise<LicenseView>;
  /** The license `L-<number>`; null when the subtree has none. For staff, who are told it by telephone. */
  abstract numbered(subtree: PartnerSubtree, number: number, today: BillingDate): Promise<LicenseView | null>;
  /**
   * Newest first, by time of issue and id.
   * @throws NotFound when `page.after` names no license of the subtree
   */
  abstract list(
    subtree: PartnerSubtree,
    filter: LicenseFilter,
    page: PageRequest,
    today: BillingDate,
  ): Promise<LicenseView[]>;
}

export interface TransferFilter {
  readonly licenseId?: Uuid;
  /** `in`: the new owner lies in the subtree; `out`: the old one does. */
  readonly direction?: 'in' | 'out';
  /** Creation time, both inclusive. */
  readonly from?: Date;
  readonly to?: Date;
}

export abstract class TransferQueries {
  /**
   * Transfers with either end in the subtree, newest first.
   * @throws NotFound when `page.after` names no transfer of the list
   */
  abstract list(subtree: PartnerSubtree, filter: TransferFilter, page: PageRequest): Promise<TransferView[]>;
}
