import type { BillingDate } from '#kernel/time/calendar-date';
import type { Uuid } from '#kernel/crypto/uuid';

/** How many licenses use a contract, including those that are being issued. */
export abstract class ContractOccupancy {
  /** Licenses that are neither terminated nor expired on the day. */
  abstract live(contractId: Uuid, day: BillingDate): Promise<number>;
  /** Licenses that were ever issued on the contract or moved to it. */
  abstract drawn(contractId: Uuid): Promise<number>;
  /** Whether the license has already drawn a slot of the contract's pack. */
  abstract hasDrawn(contractId: Uuid, licenseId: Uuid): Promise<boolean>;
}
