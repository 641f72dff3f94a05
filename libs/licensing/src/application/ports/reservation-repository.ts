import type { BillingDate } from '#kernel/time/calendar-date';
import type { UnitOfWork } from '#kernel/transactions';
import type { Uuid } from '#kernel/crypto/uuid';
import type { LicenseRecord } from '../../domain/license.js';
import type { LedgerEntry } from '../../domain/ledger-chain.js';
import type { RunningState } from '../../domain/license-state.js';
import type { Owner } from '../../domain/ownership.js';

/** Where a key may come to be at the license service that no license has: noted before it is asked for. */
export interface Reserved {
  readonly licenseId: Uuid;
  /** Of the process and attempt that work on it: whoever takes it over gives it another one. */
  readonly attemptId: Uuid;
  readonly upstreamLicenseId: Uuid;
}

/** A license on its way: it counts against its contract and its customer, and no read shows it. */
export interface Reservation extends Reserved, Owner {
  readonly edition: string;
  readonly state: RunningState;
  readonly expiresOn: BillingDate | null;
  /** Whether it draws a slot from its contract's pack. */
  readonly drawsFromPack: boolean;
  readonly externalBillingRef: string;
  readonly actor: string | null;
  /** Becomes the time of issue. */
  readonly reservedAt: Date;
}

export interface NumberedReservation extends Reservation {
  readonly number: number;
}

/** A license before it is written, which is when it gets its number. */
export type UnnumberedLicense = Omit<LicenseRecord, 'number'>;

export interface HeldReservation {
  readonly reservation: NumberedReservation;
  /** True when no living process works on it: it may be taken over. */
  readonly abandoned: boolean;
}

export abstract class ReservationRepository {
  /** Also gives the license its number. */
  abstract insert(unit: UnitOfWork, reservation: Reservation): Promise<NumberedReservation>;
  /** Holds the row until the transaction ends. */
  abstract findForUpdate(licenseId: Uuid): Promise<HeldReservation | null>;
  /** Gives an abandoned reservation that is held to this process, under a new `attemptId`. */
  abstract takeOver(reservation: Reservation): Promise<void>;
  /**
   * One that was made in advance, by this process and for it alone: it says of no license what it will be, and counts
   * against nothing.
   */
  abstract takeSpare(): Promise<Reserved>;
  /** Takes what no living process works on away from whoever did. Null when there is nothing to take. */
  abstract seize(licenseId: Uuid, attemptId: Uuid): Promise<Reserved | null>;
  /** Leaves it to the reconciler, at once or when the database is back; does nothing to what was taken over. */
  abstract leave(reserved: Reserved): void;
  /**
   * To be called when its key, if there was one, is revoked: it counts for nothing any more. The first time it stays, to
   * be seized and revoked once more when nothing can be on its way to the license service; the second time it is gone.
   */
  abstract retire(reserved: Reserved, at: Date): Promise<void>;
  /**
   * Turns it into a license with its first ledger entry, its ownership span and its place in every list.
   * @returns false when the reservation was taken over: then nothing is written
   */
  abstract activate(
    unit: UnitOfWork,
    reservation: Reservation,
    license: UnnumberedLicense,
    issued: LedgerEntry,
  ): Promise<boolean>;
  /**
   * Writes the same of a reservation that was only planned.
   * @returns the number of the license
   */
  abstract skip(unit: UnitOfWork, plan: Reservation, license: UnnumberedLicense, issued: LedgerEntry): Promise<number>;
  /**
   * Writes the same of what was planned on a spare reservation, which is gone then.
   * @returns the number of the license
   * @throws Unavailable `license-busy` when the reservation was taken over: the transaction cannot be kept then
   */
  abstract useSpare(
    unit: UnitOfWork,
    plan: Reservation,
    license: UnnumberedLicense,
    issued: LedgerEntry,
  ): Promise<number>;
  /** What may be seized at that time, oldest first. */
  abstract listAbandoned(now: Date, limit: number): Promise<Uuid[]>;
}
