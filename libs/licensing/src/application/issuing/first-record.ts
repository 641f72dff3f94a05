import type { BillingDate } from '#kernel/time/calendar-date';
import type { SecretText } from '#kernel/crypto/secret-text';
import { chain, EMPTY_CHAIN, headOf, type LedgerEntry } from '../../domain/ledger-chain.js';
import { maskKey } from '../../domain/license-key.js';
import type { Owner } from '../../domain/ownership.js';
import type { LicenseMetadata, LicenseOrder } from '../ports/license-service.js';
import type { Reservation, UnnumberedLicense } from '../ports/reservation-repository.js';

/** What the license service is asked for. */
export function orderOf(reservation: Reservation): LicenseOrder {
  const { upstreamLicenseId, edition, expiresOn } = reservation;
  return {
    upstreamLicenseId,
    edition,
    expiresAt: endOf(expiresOn),
    metadata: metadataOf(reservation, 1),
  };
}

/** The license that a reservation becomes with its key, and the first entry of its ledger. */
export function firstRecord(
  reservation: Reservation,
  key: SecretText,
): { license: UnnumberedLicense; issued: LedgerEntry } {
  const { licenseId, reservedAt, actor, customerId } = reservation;
  const [issued] = chain(licenseId, EMPTY_CHAIN, [
    { event: 'license.issued', at: reservedAt, actor, customerId, data: {} },
  ]);
  if (!issued) throw new Error('a fact in, no ledger entry out');
  // Each by its name, as in a reservation: an object that begins as a copy of another is slow to extend.
  const license: UnnumberedLicense = {
    partnerId: reservation.partnerId,
    customerId,
    contractId: reservation.contractId,
    id: licenseId,
    upstreamLicenseId: reservation.upstreamLicenseId,
    keyMasked: maskKey(key),
    edition: reservation.edition,
    state: reservation.state,
    suspendedFrom: null,
    expiresOn: reservation.expiresOn,
    externalBillingRef: reservation.externalBillingRef,
    metadata: '',
    issuedAt: reservedAt,
    terminatedAt: null,
    lastTransferOn: null,
    lastOperationId: null,
    ownerSequence: 1,
    ledger: headOf(EMPTY_CHAIN, [issued]),
  };
  return { license, issued };
}

export function metadataOf({ partnerId, customerId, contractId }: Owner, sequence: number): LicenseMetadata {
  return { partnerId, customerId, contractId, sequence };
}

/** The first instant at which the license is no longer valid. */
export function endOf(lastDay: BillingDate | null): Date | null {
  return lastDay && lastDay.plusDays(1).startsAt();
}
