import type { Uuid } from '#kernel/crypto/uuid';
import type { LicenseTerms } from '../../domain/license.js';

/** Where a key may come to be at the license service that no license has: noted before it is asked for. */
export interface Reserved {
  readonly licenseId: Uuid;
  /** Of the process and attempt that work on it: whoever takes it over gives it another one. */
  readonly attemptId: Uuid;
  readonly upstreamLicenseId: Uuid;
}

/** A license on its way: it counts against its contract and its customer, and no read shows it. */
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
  /** True when no living process works on it: it may be taken over. */
  readonly abandoned: boolean;
}

export abstract class ReservationRepository {
  /** Holds the row until the transaction ends. */
  abstract findForUpdate(licenseId: Uuid): Promise<HeldReservation | null>;
  /** Gives an abandoned reservation that is held to this process, under a new `attemptId`. */
  abstract takeOver(reservation: Reservation): Promise<void>;
  /** Takes what no living process works on away from whoever did. Null when there is nothing to take. */
  abstract seize(licenseId: Uuid, attemptId: Uuid): Promise<Reserved | null>;
  /** Leaves it to the reconciler, at once or when the database is back; does nothing to what was taken over. */
  abstract leave(reserved: Reserved): void;
  /**
   * To be called when its key, if there was one, is revoked: it counts for nothing any more. The first time it stays, to
   * be seized and revoked once more when nothing can be on its way to the license service; the second time it is gone.
   */
  abstract retire(reserved: Reserved, at: Date): Promise<void>;
  /** What may be seized at that time, oldest first. */
  abstract listAbandoned(now: Date, limit: number): Promise<Uuid[]>;
}
