import type { PartnerSubtree } from '#libs/partners';
import type { BillingDate } from '#kernel/time/calendar-date';
import type { Uuid } from '#kernel/crypto/uuid';
import type { LicenseRecord } from '../../domain/license.js';

/** The call to the license service for a change. */
export type ChangeCall = Pick<PendingChange, 'call' | 'edition'>;

/** A change announced before the license service is called, so that it is finished even if the process dies. */
export interface PendingChange {
  readonly licenseId: Uuid;
  /** Id of the current attempt. A process that takes the change over sets a new one. */
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
  /** True if no live process works on the pending change: it may be taken over. */
  readonly abandoned: boolean;
}

/**
 * Licenses and their pending changes. While a change is pending, only the process that announced it may change the
 * license; others wait, or take the change over if it is abandoned. `LicenseWriter` writes licenses.
 */
export abstract class LicenseRepository {
  /** The current license, outside any transaction: for decisions whose write is conditional. */
  abstract look(subtree: PartnerSubtree, id: Uuid): Promise<FoundLicense | null>;
  /** Same as `look`, for the system itself, which works for all partners. */
  abstract lookAnywhere(id: Uuid): Promise<FoundLicense | null>;
  /** Locks the license's row until the transaction ends. Null if the subtree has no such license. */
  abstract findForUpdate(subtree: PartnerSubtree, id: Uuid): Promise<FoundLicense | null>;
  /** Same as `findForUpdate`, for the system itself. */
  abstract getForUpdate(id: Uuid): Promise<FoundLicense | null>;
  abstract find(id: Uuid): Promise<LicenseRecord | null>;

  /** Gives an abandoned change of a locked license to this process, under a new `changeId`. */
  abstract takeOver(change: PendingChange): Promise<void>;
  /** Lets any process take the change over. Does nothing if one already has. */
  abstract abandon(change: PendingChange): Promise<void>;
  /**
   * Drops a change that turned out to have no effect.
   * @returns false if it was taken over
   */
  abstract withdraw(change: PendingChange): Promise<boolean>;

  /** Licenses with abandoned changes, oldest first. */
  abstract listAbandoned(limit: number): Promise<Uuid[]>;
  /**
   * Trials without a pending change whose last day is before `day`.
   * @param contractId all contracts if null
   */
  abstract listDueTrials(day: BillingDate, contractId: Uuid | null, limit: number): Promise<Uuid[]>;
  /**
   * Sets the last day of every unexpired trial of the contract, including suspended ones. Issues in progress fail.
   * @returns their ids
   */
  abstract moveTrialEnds(contractId: Uuid, lastDay: BillingDate | null): Promise<Uuid[]>;
  abstract updateKeyMasked(id: Uuid, keyMasked: string): Promise<void>;
}
