import type { BillingDate } from '#kernel/time/calendar-date';
import { humanId } from '#kernel/text/human-id';
import type { Uuid } from '#kernel/crypto/uuid';
import { License, type LicenseRecord } from '../domain/license.js';
import type { LicenseState } from '../domain/license-state.js';

/** A license as its partner sees it. */
export interface LicenseView {
  readonly id: Uuid;
  readonly humanId: string;
  readonly partnerId: Uuid;
  readonly customerId: Uuid;
  readonly contractId: Uuid;
  readonly upstreamLicenseId: Uuid;
  readonly keyMasked: string;
  readonly edition: string;
  readonly state: LicenseState;
  readonly externalBillingRef: string;
  readonly metadata: string;
  readonly issuedAt: Date;
  readonly terminatedAt: Date | null;
}

/** @param today decides whether a trial has expired, recorded or not */
export function licenseView(record: LicenseRecord, today: BillingDate): LicenseView {
  return {
    id: record.id,
    humanId: humanId('license', record.number),
    partnerId: record.partnerId,
    customerId: record.customerId,
    contractId: record.contractId,
    upstreamLicenseId: record.upstreamLicenseId,
    keyMasked: record.keyMasked,
    edition: record.edition,
    state: License.restore(record).stateOn(today),
    externalBillingRef: record.externalBillingRef,
    metadata: record.metadata,
    issuedAt: record.issuedAt,
    terminatedAt: record.terminatedAt,
  };
}
