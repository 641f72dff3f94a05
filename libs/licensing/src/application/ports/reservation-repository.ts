import type { Uuid } from '#kernel/crypto/uuid';
import type { LicenseTerms } from '../../domain/license.js';

/** A key that may exist at the license service without a license: recorded before it is requested. */
export interface Reserved {
  readonly licenseId: Uuid;
  /** Id of the attempt that works on it: taking it over gives it a new one. */
  readonly attemptId: Uuid;
  readonly upstreamLicenseId: Uuid;
}

/** A license that is being issued: it counts against its contract and its customer, and no read shows it. */
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
  /** True if no live process works on it: it may be taken over. */
  readonly abandoned: boolean;
}

export abstract class ReservationRepository {
  /** Locks the row until the transaction ends. */
  abstract findForUpdate(licenseId: Uuid): Promise<HeldReservation | null>;
  /** Gives an abandoned, locked reservation to this process, under a new `attemptId`. */
  abstract takeOver(reservation: Reservation): Promise<void>;
  /** Takes a reservation that no live process works on. Null if there is nothing to take. */
  abstract seize(licenseId: Uuid, attemptId: Uuid): Promise<Reserved | null>;
  /** Releases it to the reconciler, at once or when the database is back; does nothing if it was taken over. */
  abstract leave(reserved: Reserved): void;
  /**
   * Call it once the key, if there was one, is revoked: the reservation no longer counts. The first time it stays, to
   * be taken and revoked once more when no call can still be on its way to the license service. The second time it is
   * deleted.
   */
  abstract retire(reserved: Reserved, at: Date): Promise<void>;
  /** Reservations that may be taken at that time, oldest first. */
  abstract listAbandoned(now: Date, limit: number): Promise<Uuid[]>;
}
