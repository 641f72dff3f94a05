import type { NewLicense, LicenseChange, LicenseRecord } from '../../domain/license.js';
import type { JoinedCall } from './license-service.js';
import type { PendingChange } from './license-repository.js';
import type { NumberedReservation, Reservation, Reserved } from './reservation-repository.js';

/**
 * Writes a decision about a license if the facts that it was based on are unchanged: one conditional write, all or
 * nothing. If it is refused, the caller reads and decides again. Finalized statements whose facts change are flagged in
 * the same transaction.
 *
 * Inside a transaction the write is part of it. The caller must then hold the locks, and flags the statements itself. A
 * failed condition is an error that rolls the transaction back.
 */
export abstract class LicenseWriter {
  /**
   * Writes a license without a reservation, if its customer has not been deleted.
   * @param call made at the license service in the same transaction
   * @returns its number; null if refused
   * @throws Unavailable as the call
   */
  abstract issue(license: NewLicense, call: JoinedCall): Promise<number | null>;
  /** Writes a reservation, if its customer has not been deleted. It gets the license's number. Null if refused. */
  abstract reserve(reservation: Reservation): Promise<NumberedReservation | null>;
  /** Turns a reservation into its license, if nobody has taken the reservation over. False if refused. */
  abstract activate(reserved: Reserved, license: NewLicense): Promise<boolean>;
  /**
   * Writes a change, if the license is as `before` says and no change of it is pending. False if refused.
   * @param call made at the license service in the same transaction; null for none
   * @throws Unavailable as the call
   */
  abstract write(change: LicenseChange, call: JoinedCall | null): Promise<boolean>;
  /** Announces a change, if the license is as `before` says and no other is pending. False if refused. */
  abstract announce(before: LicenseRecord, pending: PendingChange): Promise<boolean>;
  /**
   * Writes the announced change and removes its announcement, if no other process has taken the change over and the
   * license is as `before` says. False if refused.
   */
  abstract complete(change: LicenseChange, announced: PendingChange): Promise<boolean>;
}
