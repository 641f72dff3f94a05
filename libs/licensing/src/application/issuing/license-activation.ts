import { Injectable } from '@nestjs/common';
import { BillingDate } from '#kernel/time/calendar-date';
import { Clock } from '#kernel/time/clock';
import type { SecretText } from '#kernel/crypto/secret-text';
import { Transactions } from '#kernel/transactions';
import { License, type LicenseRecord, type NewLicense } from '../../domain/license.js';
import { maskKey } from '../../domain/license-key.js';
import { licenseBusy, transitionRefused } from '../../domain/licensing-errors.js';
import { licenseView, type LicenseView } from '../license-view.js';
import { FailPoints } from '../ports/fail-points.js';
import { LicenseRepository } from '../ports/license-repository.js';
import { LicenseService, type JoiningLicenseService } from '../ports/license-service.js';
import { LicenseWriter } from '../ports/license-writer.js';
import {
  ReservationRepository,
  type NumberedReservation,
  type Reservation,
  type Reserved,
} from '../ports/reservation-repository.js';
import { endOf, metadataOf, orderOf } from './orders.js';

/** A new license with its key, which is stored nowhere in clear. */
export interface IssuedLicense {
  readonly license: LicenseView;
  readonly key: SecretText;
}

/** Turns a reservation into a license, or undoes it. */
@Injectable()
export class LicenseActivation {
  constructor(
    private readonly writer: LicenseWriter,
    private readonly reservations: ReservationRepository,
    private readonly licenses: LicenseRepository,
    private readonly service: LicenseService,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly failPoints: FailPoints,
  ) {}

  /** Writes a license and its record at the license service in one transaction. Null if refused. */
  async issue(plan: Reservation, service: JoiningLicenseService): Promise<IssuedLicense | null> {
    const { key, call } = service.joinIssue(orderOf(plan));
    const license = licenseOf(plan, key);
    await this.failPoints.reach('issue: about to commit');
    const number = await this.writer.issue(license, call);
    return number === null ? null : issuedLicense(license, number, key);
  }

  /** Null if refused. */
  reserve(plan: Reservation): Promise<NumberedReservation | null> {
    return this.writer.reserve(plan);
  }

  /** @throws Unavailable if the license service issues no key: the reservation is undone, now or later */
  async activate(reservation: NumberedReservation): Promise<IssuedLicense> {
    const key = await this.makeKey(reservation);
    const license = licenseOf(reservation, key);
    const activated = await this.writer.activate(reservation, license).catch((error: unknown) => {
      // It is unknown whether the license was written. The reconciler finds out by the reservation.
      this.reservations.release(reservation);
      throw error;
    });
    if (activated) return issuedLicense(license, reservation.number, key);
    // The reconciler considered this process dead and undoes the reservation, so this key must become invalid.
    await this.service.revoke(reservation.upstreamLicenseId);
    throw licenseBusy();
  }

  /**
   * Revokes the key, if there is one, and ends the reservation. A late call of a killed process may still reach the
   * license service, so the reconciler repeats this once.
   */
  async undo(reserved: Reserved): Promise<void> {
    await this.service.revoke(reserved.upstreamLicenseId);
    await this.transactions.run(() => this.reservations.retire(reserved, this.clock.now()));
  }

  /**
   * The response to a repeat: the license was issued, but its response was lost.
   * @throws Conflict `license-terminated` if it has been terminated since
   * @throws Unavailable if the license service does not answer
   */
  async answerAgain(license: LicenseRecord): Promise<IssuedLicense> {
    if (license.state === 'terminated') throw transitionRefused('license-terminated');
    const key = await this.service.issue({
      upstreamLicenseId: license.upstreamLicenseId,
      edition: license.edition,
      expiresAt: endOf(license.expiresOn),
      metadata: metadataOf(license, license.ownerSequence),
    });
    const keyMasked = maskKey(key);
    await this.transactions.run(() => this.licenses.updateKeyMasked(license.id, keyMasked));
    return { license: licenseView({ ...license, keyMasked }, BillingDate.of(this.clock.now())), key };
  }

  private async makeKey(reservation: Reservation): Promise<SecretText> {
    await this.failPoints.reach('issue: reserved');
    let key: SecretText;
    try {
      key = await this.service.issue(orderOf(reservation));
    } catch (error) {
      // If this fails, the reconciler does it.
      await this.undo(reservation).catch(() => this.reservations.release(reservation));
      throw error;
    }
    await this.failPoints.reach('issue: key made');
    return key;
  }
}

function licenseOf(plan: Reservation, key: SecretText): NewLicense {
  return License.issue(plan, maskKey(key), { at: plan.reservedAt, actor: plan.actor });
}

function issuedLicense({ record }: NewLicense, number: number, key: SecretText): IssuedLicense {
  return { license: licenseView({ number, ...record }, BillingDate.of(record.issuedAt)), key };
}
