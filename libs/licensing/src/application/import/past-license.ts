import type { BillingDate } from '#kernel/time/calendar-date';
import type { Uuid } from '#kernel/crypto/uuid';
import type { LedgerEventType } from '../../domain/ledger-event.js';
import type { LicenseState } from '../../domain/license-state.js';
import type { Owner } from '../../domain/ownership.js';

/** What the history of a license depends on in a contract. */
export interface ContractFacts {
  readonly partnerId: Uuid;
  readonly isTrial: boolean;
  readonly validTo: BillingDate | null;
  readonly drawsFromPack: boolean;
  /** Empty allows all. */
  readonly editions: readonly string[];
}

/** An owner as a line names it: whether its parts belong together is still to be seen. */
export interface NamedOwner extends Owner {
  /** Whose the customer is. */
  readonly customerPartnerId: Uuid;
  readonly contract: ContractFacts;
}

/** A license from an older system: its first owner, and what it is today. */
export interface PastLicense {
  readonly line: number;
  readonly id: Uuid;
  /** Null when the license service has no record yet. */
  readonly upstreamLicenseId: Uuid | null;
  readonly keyHash: string | null;
  readonly keyMasked: string;
  /** The key itself, where the license service must still be told. */
  readonly sealedKey: Buffer | null;
  readonly edition: string;
  readonly externalBillingRef: string;
  readonly owner: NamedOwner;
  readonly state: LicenseState;
  readonly issuedAt: Date;
  readonly terminatedAt: Date | null;
  readonly suspendedAt: Date | null;
  readonly expiredAt: Date | null;
}

/** An event that the older system recorded itself, before it knew customers. */
export interface PastEvent {
  readonly line: number;
  readonly event: LedgerEventType;
  readonly at: Date;
  readonly actor: string | null;
}

export interface PastTransfer {
  readonly line: number;
  readonly id: Uuid;
  readonly to: NamedOwner;
  readonly effectiveOn: BillingDate;
  readonly reason: string;
  /** Null when only the effective day is known. */
  readonly recordedAt: Date | null;
}
