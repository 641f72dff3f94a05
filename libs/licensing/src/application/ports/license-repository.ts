import type { PartnerSubtree } from '#libs/partners';
import type { BillingDate } from '#kernel/time/calendar-date';
import type { Uuid } from '#kernel/crypto/uuid';
import type { LicenseRecord } from '../../domain/license.js';

/** What the license service is told of a change. */
export type ChangeCall = Pick<PendingChange, 'call' | 'edition'>;

/** A change that was announced before the license service was asked, so that it is finished whatever happens. */
export interface PendingChange {
  readonly licenseId: Uuid;
  /** Of the process and attempt that work on it: whoever takes the change over gives it another one. */
  readonly changeId: Uuid;
  readonly call: 'suspend' | 'resume' | 'terminate' | 'edition';
  /** Null unless the call is `edition`. */
  readonly edition: string | null;
  readonly actor: string | null;
  readonly requestedAt: Date;
  readonly operationId: Uuid | null;
}

export interface FoundLicense {
  readonly record: LicenseRecord;
  readonly pending: PendingChange | null;
  /** True when no living process works on the pending change: it may be taken over. */
  readonly abandoned: boolean;
}

/**
 * Licenses and their unfinished changes. While a change is pending, only its holder may change the license: whoever
 * finds one that is not abandoned comes back later. `LicenseWriter` writes them.
 */
export abstract class LicenseRepository {
  /** As it is now, outside any transaction: for decisions that are written only if it is still so. */
  abstract look(subtree: PartnerSubtree, id: Uuid): Promise<FoundLicense | null>;
  /** As above, for the system itself, which works for all partners. */
  abstract lookAnywhere(id: Uuid): Promise<FoundLicense | null>;
  /** Holds the license's row until the transaction ends. Null when the subtree has no such license. */
  abstract findForUpdate(subtree: PartnerSubtree, id: Uuid): Promise<FoundLicense | null>;
  /** As above, for the system itself. */
  abstract getForUpdate(id: Uuid): Promise<FoundLicense | null>;
  abstract find(id: Uuid): Promise<LicenseRecord | null>;

  /** Gives an abandoned change of a held license to this process, under a new `changeId`. */
  abstract takeOver(change: PendingChange): Promise<void>;
  /** Leaves the change to whoever comes next; does nothing when it is somebody else's by now. */
  abstract abandon(change: PendingChange): Promise<void>;
  /** Drops a change that turned out to have no effect. @returns false when it was taken over */
  abstract withdraw(change: PendingChange): Promise<boolean>;

  /** Licenses with abandoned changes, oldest first. */
  abstract listAbandoned(limit: number): Promise<Uuid[]>;
  /** Trials without a pending change whose last day lies before `day`. @param contractId all contracts when null */
  abstract listDueTrials(day: BillingDate, contractId: Uuid | null, limit: number): Promise<Uuid[]>;
  /**
   * Gives every unexpired trial of the contract, suspended ones included, another last day; the issue of one that is on
   * its way fails. @returns their ids
   */
  abstract moveTrialEnds(contractId: Uuid, lastDay: BillingDate | null): Promise<Uuid[]>;
  abstract updateKeyMasked(id: Uuid, keyMasked: string): Promise<void>;
}
