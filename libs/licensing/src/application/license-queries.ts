import type { PartnerSubtree } from '#libs/partners';
import type { BillingDate } from '#kernel/time/calendar-date';
import type { PageRequest } from '#kernel/page';
import type { Uuid } from '#kernel/crypto/uuid';
import type { LicenseState } from '../domain/license-state.js';
import type { LicenseView } from './license-view.js';
import type { TransferView } from './transfers/transfer-view.js';

/** All given conditions must match. */
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

/**
 * Queries of the routes.
 * @param today decides which trials have expired
 */
export abstract class LicenseQueries {
  /** @throws NotFound if the subtree has no such license */
  abstract get(subtree: PartnerSubtree, id: Uuid, today: BillingDate): Promise<LicenseView>;
  /** The license `L-<number>`; null if the subtree has none. For staff, who look licenses up by number. */
  abstract numbered(subtree: PartnerSubtree, number: number, today: BillingDate): Promise<LicenseView | null>;
  /**
   * Newest first, by time of issue and id.
   * @throws NotFound if `page.after` is not a license of the subtree
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
  /** `in`: the new owner is in the subtree; `out`: the old one is. */
  readonly direction?: 'in' | 'out';
  /** Creation time, both inclusive. */
  readonly from?: Date;
  readonly to?: Date;
}

export abstract class TransferQueries {
  /**
   * Transfers with either end in the subtree, newest first.
   * @throws NotFound if `page.after` is not a transfer of the list
   */
  abstract list(subtree: PartnerSubtree, filter: TransferFilter, page: PageRequest): Promise<TransferView[]>;
}
