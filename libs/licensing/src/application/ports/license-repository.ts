import type { PartnerSubtree } from '#libs/partners';
import type { BillingDate } from '#kernel/time/calendar-date';
import type { UnitOfWork } from '#kernel/transactions';
import type { Uuid } from '#kernel/crypto/uuid';
import type { LicenseChange, LicenseRecord } from '../../domain/license.js';

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

export interface HeldLicense {
  readonly record: LicenseRecord;
  readonly pending: PendingChange | null;
  /** True when no living process works on the pending change: it may be taken over. */
  readonly abandoned: boolean;
}

/**
 * Licenses and their unfinished changes. While a change is pending, only its holder may change the license: whoever
 * finds one that is not abandoned comes back later.
 */
export abstract class LicenseRepository {
  /** Holds the license's row until the transaction ends. Null when the subtree has no such license. */
  abstract findForUpdate(unit: UnitOfWork, subtree: PartnerSubtree, id: Uuid): Promise<HeldLicense | null>;
  /** As above, for the system itself, which works for all partners. */
  abstract getForUpdate(unit: UnitOfWork, id: Uuid): Promise<HeldLicense | null>;
  abstract find(id: Uuid): Promise<LicenseRecord | null>;

  /** Announces a change on a license that is held and has none. */
  abstract announce(unit: UnitOfWork, change: PendingChange): Promise<void>;
  /** Gives an abandoned change of a held license to this process, under a new `changeId`. */
  abstract takeOver(unit: UnitOfWork, change: PendingChange): Promise<void>;
  /** Leaves the change to whoever comes next; does nothing when it is somebody else's by now. */
  abstract abandon(change: PendingChange): Promise<void>;
  /** Drops a change that turned out to have no effect. @returns false when it was taken over */
  abstract withdraw(change: PendingChange): Promise<boolean>;

  /**
   * Writes a license that is held and its ledger entries, and ends its last ownership span when it is terminated.
   * @returns the ids of the ledger events
   * @throws Error when the license is not as `change.before` says: the transaction cannot be kept then
   */
  abstract write(unit: UnitOfWork, change: LicenseChange): Promise<number[]>;
  /**
   * As `write`, of a license that is not held, with the announced change that this completes.
   * @returns null when the change was taken over or the license is not as `change.before` says: nothing is written then
   */
  abstract complete(unit: UnitOfWork, change: LicenseChange, announced: PendingChange): Promise<number[] | null>;

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
