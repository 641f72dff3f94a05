import type { BillingDate } from '#kernel/time/calendar-date';
import type { Uuid } from '#kernel/crypto/uuid';
import type { LedgerEventType } from '../../domain/ledger-event.js';
import type { LicenseState } from '../../domain/license-state.js';
import type { Owner } from '../../domain/ownership.js';

/** The parts of a contract on which a license's history depends. */
export interface ContractFacts {
  readonly partnerId: Uuid;
  readonly isTrial: boolean;
  readonly validTo: BillingDate | null;
  readonly drawsFromPack: boolean;
  /** Empty means all. */
  readonly editions: readonly string[];
}

/** An owner as named in a line. Customer and contract may still belong to different partners. */
export interface NamedOwner extends Owner {
  /** The customer's partner. */
  readonly customerPartnerId: Uuid;
  readonly contract: ContractFacts;
}

/** A license from an older system, with its first owner and its current state. */
export interface PastLicense {
  readonly line: number;
  readonly id: Uuid;
  /** Null if the license service has no record yet. */
  readonly upstreamLicenseId: Uuid | null;
  readonly keyHash: string | null;
  readonly keyMasked: string;
  /** The key itself, if the license service still needs it. */
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

/** An event recorded by the older system, before customers existed. */
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
  /** Null if only the effective day is known. */
  readonly recordedAt: Date | null;
}
