import type { BillingDate } from '#kernel/time/calendar-date';
import type { Owner } from '../../domain/ownership.js';
import type { LicenseMetadata, LicenseOrder } from '../ports/license-service.js';
import type { Reservation } from '../ports/reservation-repository.js';

/** The order sent to the license service. */
export function orderOf(reservation: Reservation): LicenseOrder {
  const { upstreamLicenseId, edition, expiresOn } = reservation;
  return { upstreamLicenseId, edition, expiresAt: endOf(expiresOn), metadata: metadataOf(reservation, 1) };
}

export function metadataOf({ partnerId, customerId, contractId }: Owner, sequence: number): LicenseMetadata {
  return { partnerId, customerId, contractId, sequence };
}

/** The first instant at which the license is no longer valid. */
export function endOf(lastDay: BillingDate | null): Date | null {
  return lastDay && lastDay.plusDays(1).startsAt();
}
