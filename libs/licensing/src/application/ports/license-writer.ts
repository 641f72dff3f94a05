import type { NewLicense, LicenseChange, LicenseRecord } from '../../domain/license.js';
import type { JoinedCall } from './license-service.js';
import type { PendingChange } from './license-repository.js';
import type { NumberedReservation, Reservation, Reserved } from './reservation-repository.js';

/**
 * Writes what was decided about a license, if what the decision was made on still holds: one condition, one write, all
 * of it or nothing. Who is refused reads and decides again. Statements of finalized months whose facts a write changes
 * are flagged with it.
 *
 * A write inside a transaction is part of it; there the caller holds what it decided on and flags the statements, and
 * what does not hold any more is an error that undoes the transaction.
 */
export abstract class LicenseWriter {
  /**
   * A license that nothing was reserved for, if its customer has not been deleted.
   * @param call what the license service does in the same transaction
   * @returns its number; null when refused
   * @throws Unavailable as the call
   */
  abstract issue(license: NewLicense, call: JoinedCall): Promise<number | null>;
  /** A reservation, if its customer has not been deleted. It gets the license's number. Null when refused. */
  abstract reserve(reservation: Reservation): Promise<NumberedReservation | null>;
  /** The license that a reservation becomes, if nobody has taken the reservation over. False when refused. */
  abstract activate(reserved: Reserved, license: NewLicense): Promise<boolean>;
  /**
   * A change, if the license is as `before` says and no change of it is pending. False when refused.
   * @param call what the license service does in the same transaction; null for nothing
   * @throws Unavailable as the call
   */
  abstract write(change: LicenseChange, call: JoinedCall | null): Promise<boolean>;
  /** Announces a change, if the license is as `before` says and no other is pending. False when refused. */
  abstract announce(before: LicenseRecord, pending: PendingChange): Promise<boolean>;
  /**
   * The change that was announced, and the end of its announcement, if nobody has taken that over and the license is as
   * `before` says. False when refused.
   */
  abstract complete(change: LicenseChange, announced: PendingChange): Promise<boolean>;
}
