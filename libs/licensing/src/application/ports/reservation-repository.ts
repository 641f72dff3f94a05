import type { Uuid } from '#kernel/crypto/uuid';
import type { LicenseTerms } from '../../domain/license.js';

/** A key that may exist at the license service without a license. Recorded before the key is requested. */
export interface Reserved {
  readonly licenseId: Uuid;
  /** Id of the current attempt. A process that takes the reservation over sets a new one. */
  readonly attemptId: Uuid;
  readonly upstreamLicenseId: Uuid;
}

/** A license that is being issued. It counts against its contract and its customer, but no query shows it. */
export interface Reservation extends Reserved, LicenseTerms {
  readonly actor: string | null;
  /** Becomes the time of issue. */
  readonly reservedAt: Date;
}

export interface NumberedReservation extends Reservation {
  readonly number: number;
}

export interface HeldReservation {
  readonly reservation: NumberedReservation;
  /** True if no live process works on it, so it may be taken over. */
  readonly abandoned: boolean;
}

export abstract class ReservationRepository {
  /** Locks the row until the transaction ends. */
  abstract findForUpdate(licenseId: Uuid): Promise<HeldReservation | null>;
  /** Gives an abandoned, locked reservation to this process, under a new `attemptId`. */
  abstract takeOver(reservation: Reservation): Promise<void>;
  /** Takes a reservation that no live process works on. Null if there is nothing to take. */
  abstract seize(licenseId: Uuid, attemptId: Uuid): Promise<Reserved | null>;
  /** Releases it to the reconciler, retrying until the database answers. Does nothing if it was taken over. */
  abstract release(reserved: Reserved): void;
  /**
   * Call it after revoking the key: the reservation no longer counts. After the first call it is kept, so that the key
   * is revoked once more when no late call can reach the license service any more. The second call deletes it.
   */
  abstract retire(reserved: Reserved, at: Date): Promise<void>;
  /** Reservations that may be taken at that time, oldest first. */
  abstract listAbandoned(now: Date, limit: number): Promise<Uuid[]>;
}
