import { Injectable } from '@nestjs/common';
import type { PartnerSubtree } from '#libs/partners';
import { Clock } from '#kernel/time/clock';
import { Randomness } from '#kernel/crypto/randomness';
import { Transactions } from '#kernel/transactions';
import type { Uuid } from '#kernel/crypto/uuid';
import { licenseBusy } from '../../domain/licensing-errors.js';
import { KeyedMutex } from '../changes/keyed-mutex.js';
import { LicenseRepository } from '../ports/license-repository.js';
import { ReservationRepository, type NumberedReservation } from '../ports/reservation-repository.js';
import { LicenseActivation, type IssuedLicense } from './license-activation.js';

/**
 * Attempts to issue a license that did not finish: a repeat of the request resumes them, the reconciler undoes them.
 */
@Injectable()
export class InterruptedIssues {
  constructor(
    private readonly reservations: ReservationRepository,
    private readonly licenses: LicenseRepository,
    private readonly activation: LicenseActivation,
    private readonly mutex: KeyedMutex,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /**
   * Null if there was no earlier attempt, or it wrote nothing.
   * @throws Unavailable while a live process works on it
   */
  async resume(subtree: PartnerSubtree, licenseId: Uuid): Promise<IssuedLicense | null> {
    const reservation = await this.transactions.run(() => this.takeOver(licenseId));
    if (reservation) return this.activation.activate(reservation);
    const issued = await this.licenses.look(subtree, licenseId);
    return issued && this.activation.answerAgain(issued.record);
  }

  /** Undoes a reservation that no process works on. */
  async undoAbandoned(licenseId: Uuid): Promise<void> {
    await this.mutex.take(licenseId, async () => {
      const attemptId = this.randomness.uuid();
      const mine = await this.transactions.run(() => this.reservations.seize(licenseId, attemptId));
      if (mine) await this.activation.undo(mine);
    });
  }

  private async takeOver(licenseId: Uuid): Promise<NumberedReservation | null> {
    const held = await this.reservations.findForUpdate(licenseId);
    if (!held) return null;
    if (!held.abandoned) throw licenseBusy();
    const mine = { ...held.reservation, attemptId: this.randomness.uuid(), reservedAt: this.clock.now() };
    await this.reservations.takeOver(mine);
    return mine;
  }
}
