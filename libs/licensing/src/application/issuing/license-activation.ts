import { Injectable } from '@nestjs/common';
import { awaitBoth } from '#kernel/await-both';
import { BillingDate } from '#kernel/time/calendar-date';
import { Clock } from '#kernel/time/clock';
import type { SecretText } from '#kernel/crypto/secret-text';
import { Transactions, type UnitOfWork } from '#kernel/transactions';
import type { LicenseRecord } from '../../domain/license.js';
import { licenseBusy, transitionRefused } from '../../domain/licensing-errors.js';
import { maskKey } from '../../domain/license-key.js';
import { endOf, firstRecord, metadataOf, orderOf } from './first-record.js';
import { licenseView, type LicenseView } from '../license-view.js';
import { FailPoints } from '../ports/fail-points.js';
import { LicenseRepository } from '../ports/license-repository.js';
import { LicenseService, type JoiningLicenseService } from '../ports/license-service.js';
import {
  ReservationRepository,
  type NumberedReservation,
  type Reservation,
  type Reserved,
} from '../ports/reservation-repository.js';

/** A license with its key: the only moment at which the key exists outside the caller's hands. */
export interface IssuedLicense {
  readonly license: LicenseView;
  readonly key: SecretText;
}

/** The way from a reservation to a license, or back to nothing. */
@Injectable()
export class LicenseActivation {
  constructor(
    private readonly reservations: ReservationRepository,
    private readonly licenses: LicenseRepository,
    private readonly service: LicenseService,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly failPoints: FailPoints,
  ) {}

  /** @throws Unavailable when the license service makes no key: the reservation is undone, at once or later */
  async activate(reservation: NumberedReservation): Promise<IssuedLicense> {
    const key = await this.makeKey(reservation);
    const { license: unnumbered, issued } = firstRecord(reservation, key);
    const license = { number: reservation.number, ...unnumbered };
    const activated = await this.transactions.inUnit((unit) =>
      this.transactions.lastly(() => this.reservations.activate(unit, reservation, license, issued), unit),
    );
    if (!activated) {
      // The reconciler took us for dead and undoes the reservation: this key must not stay usable.
      await this.service.revoke(reservation.upstreamLicenseId);
      throw licenseBusy();
    }
    return { license: licenseView(license, BillingDate.of(reservation.reservedAt)), key };
  }

  /** Makes a license without a reservation, in a unit of work in which the license service takes part. */
  async issue(unit: UnitOfWork, plan: Reservation, service: JoiningLicenseService): Promise<IssuedLicense> {
    await this.failPoints.reach('issue: about to commit');
    return this.transactions.lastly(async () => {
      const { key, recorded } = service.record(unit, orderOf(plan));
      const { license, issued } = firstRecord(plan, key);
      // Neither is kept without the other: what either cannot do is an error of the transaction.
      const [, number] = await awaitBoth(recorded, this.reservations.skip(unit, plan, license, issued));
      return { license: licenseView({ number, ...license }, BillingDate.of(plan.reservedAt)), key };
    }, unit);
  }

  /** @throws Unavailable when the license service makes no key: the reservation is undone, at once or later */
  async makeKey(reservation: Reservation): Promise<SecretText> {
    await this.failPoints.reach('issue: reserved');
    let key: SecretText;
    try {
      key = await this.service.issue(orderOf(reservation));
    } catch (error) {
      await this.undoSurely(reservation);
      throw error;
    }
    await this.failPoints.reach('issue: key made');
    return key;
  }

  /**
   * Takes the key back, should there be one, and frees what the reservation held. A call that was given up, or whose
   * process was killed, may still be on its way to the license service: the reconciler does this once more later.
   */
  async undo(reserved: Reserved): Promise<void> {
    await this.service.revoke(reserved.upstreamLicenseId);
    await this.transactions.run(() => this.reservations.retire(reserved, this.clock.now()));
  }

  /** As `undo`, at once or, by the reconciler, later. */
  async undoSurely(reserved: Reserved): Promise<void> {
    await this.undo(reserved).catch(() => this.reservations.leave(reserved));
  }

  /**
   * The answer to a repeat: the license was issued, but its answer got lost.
   * @throws Conflict `license-terminated` when it is over by now
   * @throws Unavailable when the license service gives no answer
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
}
