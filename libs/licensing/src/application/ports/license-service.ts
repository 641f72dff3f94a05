import type { SecretText } from '#kernel/crypto/secret-text';
import type { Uuid } from '#kernel/crypto/uuid';
import type { ChangeCall } from './license-repository.js';

/** The commercial owner of a license, as the license service should know it. Replaced as a whole, never merged. */
export interface LicenseMetadata {
  readonly partnerId: Uuid;
  readonly customerId: Uuid;
  readonly contractId: Uuid;
  /** Increases with every change of the owner, so that an older document never overwrites a newer one. */
  readonly sequence: number;
}

export interface LicenseOrder {
  /** Chosen before the call, so that a repeat after an unknown outcome finds the first record. */
  readonly upstreamLicenseId: Uuid;
  readonly edition: string;
  /** When the license expires; null if never. */
  readonly expiresAt: Date | null;
  readonly metadata: LicenseMetadata;
  /** The key that the owner has from an older system; if omitted, the service creates one. */
  readonly key?: SecretText;
}

/** The license service's record of a license. Never contains its key. */
export interface UpstreamLicense {
  readonly upstreamLicenseId: Uuid;
  /** Null if its policy belongs to no edition configured here. */
  readonly edition: string | null;
  readonly suspended: boolean;
  readonly expiresAt: Date | null;
  /** Sequence of its metadata; null if somebody else wrote them. */
  readonly sequence: number | null;
}

/**
 * The service that issues keys and tells running panels whether theirs is valid ("upstream"). Every call may be
 * repeated: work already done counts as success. Only `issue` returns the key, once. All methods throw `Unavailable` if
 * the outcome is unknown, if the service refuses us, and if the record to change does not exist. The caller's request
 * then fails with a 5xx, and the reconciler finishes or undoes what was begun.
 */
export abstract class LicenseService {
  /**
   * Creates the record and its key. A repeat with the same id returns a usable key for the same record (the first one,
   * or a new one that replaces it). A key named in the order becomes the key; if another record has it, the order is
   * refused and no record is created.
   */
  abstract issue(order: LicenseOrder): Promise<SecretText>;
  abstract suspend(upstreamLicenseId: Uuid): Promise<void>;
  abstract reinstate(upstreamLicenseId: Uuid): Promise<void>;
  /** Ends the record permanently; a missing record counts as success. */
  abstract revoke(upstreamLicenseId: Uuid): Promise<void>;
  abstract changeEdition(upstreamLicenseId: Uuid, edition: string): Promise<void>;
  /** @param expiresAt null for a license that became a paid one and never expires by itself */
  abstract changeExpiry(upstreamLicenseId: Uuid, expiresAt: Date | null): Promise<void>;
  /** An older document after a newer one counts as success and changes nothing. */
  abstract syncMetadata(upstreamLicenseId: Uuid, metadata: LicenseMetadata): Promise<void>;
  /** Null if there is no such record (never created, or revoked). */
  abstract find(upstreamLicenseId: Uuid): Promise<UpstreamLicense | null>;
}

/**
 * A prepared call of a joining license service, which `LicenseWriter` executes in the transaction of its write. Opaque
 * to everybody else.
 */
export abstract class JoinedCall {
  /** A brand: no other object has this type. */
  protected abstract readonly isJoinedCall: true;
}

/**
 * A license service whose calls join our transaction and roll back with it. Calls need not be announced first, because
 * both sides change together.
 */
export abstract class JoiningLicenseService extends LicenseService {
  /** Same as `issue`, for a record that does not exist yet. */
  abstract joinIssue(order: Omit<LicenseOrder, 'key'>): { readonly key: SecretText; readonly call: JoinedCall };
  /** Same as the method of that name. */
  abstract joinChange(upstreamLicenseId: Uuid, change: ChangeCall): JoinedCall;
}
