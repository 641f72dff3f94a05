import type { SecretText } from '#kernel/crypto/secret-text';
import type { Uuid } from '#kernel/crypto/uuid';
import type { ChangeCall } from './license-repository.js';

/** Who commercially owns a license, as the license service should know it. Replaced as a whole, never merged. */
export interface LicenseMetadata {
  readonly partnerId: Uuid;
  readonly customerId: Uuid;
  readonly contractId: Uuid;
  /** Rises with every change of the owner: an older document never overwrites a newer one. */
  readonly sequence: number;
}

export interface LicenseOrder {
  /** Chosen by us before the call, so that a repeat after an unknown outcome finds the first record. */
  readonly upstreamLicenseId: Uuid;
  readonly edition: string;
  /** When the license expires; null if never. */
  readonly expiresAt: Date | null;
  readonly metadata: LicenseMetadata;
  /** The key that the owner has from an older system; left out, the service makes one. */
  readonly key?: SecretText;
}

/** What the license service says of a record. Never its key. */
export interface UpstreamLicense {
  readonly upstreamLicenseId: Uuid;
  /** Null when its policy belongs to no edition that is configured here. */
  readonly edition: string | null;
  readonly suspended: boolean;
  readonly expiresAt: Date | null;
  /** Of the metadata that it holds; null when they carry none, so are not ours. */
  readonly sequence: number | null;
}

/**
 * The service that issues keys and tells running panels whether theirs is valid ("upstream"). Every call may be
 * repeated: what is done already is success. The key leaves `issue` once and nothing else ever.
 *
 * All methods throw `Unavailable` when the outcome is unknown, when the service refuses us, and when a record that is
 * to be changed does not exist: the caller's request then fails with a 5xx, and what was begun is finished or undone
 * by the reconciler.
 */
export abstract class LicenseService {
  /**
   * Makes the record and its key. A repeat with the same id is answered with a usable key for the same record (the
   * first one, or a new one that replaces it). A key that the order names is the key; when another record has it, the
   * order is refused and no record made.
   */
  abstract issue(order: LicenseOrder): Promise<SecretText>;
  abstract suspend(upstreamLicenseId: Uuid): Promise<void>;
  abstract reinstate(upstreamLicenseId: Uuid): Promise<void>;
  /** Ends the record for good; one that does not exist is success. */
  abstract revoke(upstreamLicenseId: Uuid): Promise<void>;
  abstract changeEdition(upstreamLicenseId: Uuid, edition: string): Promise<void>;
  /** @param expiresAt null for a license that became a paid one and never expires by itself */
  abstract changeExpiry(upstreamLicenseId: Uuid, expiresAt: Date | null): Promise<void>;
  /** An older document after a newer one is success and changes nothing. */
  abstract syncMetadata(upstreamLicenseId: Uuid, metadata: LicenseMetadata): Promise<void>;
  /** Null when there is no such record (never made, or revoked). */
  abstract find(upstreamLicenseId: Uuid): Promise<UpstreamLicense | null>;
}

/**
 * A call of a joining license service that is yet to be made: `LicenseWriter` makes it in the transaction of its write.
 * What it is made of is between those two.
 */
export abstract class JoinedCall {
  /** Keeps other objects from passing for one. */
  protected abstract readonly isJoinedCall: true;
}

/**
 * A service whose calls can be part of our transaction and are undone with it: nothing has to be announced before a
 * call, for there is no moment at which only one side knows.
 */
export abstract class JoiningLicenseService extends LicenseService {
  /** As `issue` of a record that does not exist yet. */
  abstract joinIssue(order: Omit<LicenseOrder, 'key'>): { readonly key: SecretText; readonly call: JoinedCall };
  /** As the method of that name. */
  abstract joinChange(upstreamLicenseId: Uuid, change: ChangeCall): JoinedCall;
}
