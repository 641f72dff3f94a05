import { Injectable } from '@nestjs/common';
import { awaitBoth } from '#kernel/await-both';
import { BillingDate } from '#kernel/time/calendar-date';
import { DomainError } from '#kernel/errors';
import type { SecretText } from '#kernel/crypto/secret-text';
import { Transactions } from '#kernel/transactions';
import type { Actor } from '../actor.js';
import { firstRecord } from './first-record.js';
import { LicenseActivation, type IssuedLicense } from './license-activation.js';
import { LicenseAdmission } from './license-admission.js';
import { LicenseReserving, type IssueLicense } from './license-reserving.js';
import { licenseView } from '../license-view.js';
import { ReservationRepository, type Reservation } from '../ports/reservation-repository.js';

/**
 * Issues licenses over a license service elsewhere in one transaction instead of two: the reservation was made in
 * advance, and where nothing is counted it need not say what for. A process that dies before the license is written
 * leaves a reservation that is undone, key and all.
 */
@Injectable()
export class DirectIssue {
  constructor(
    private readonly reserving: LicenseReserving,
    private readonly admission: LicenseAdmission,
    private readonly reservations: ReservationRepository,
    private readonly activation: LicenseActivation,
    private readonly transactions: Transactions,
  ) {}

  /**
   * For a request that is never repeated: a repeat would not find the reservation.
   * @returns null, with nothing done, when the contract is held to issue
   * @throws DomainError as `LicenseIssuing.issue`
   */
  async issue(actor: Actor, wish: IssueLicense): Promise<IssuedLicense | null> {
    const plan = await this.reserving.planOnSpare(actor, wish);
    if (!plan) return null;
    const key = await this.makeKey(plan);
    try {
      return await this.write(plan, key);
    } catch (error) {
      // Whatever else went wrong: whether the license was written is not known, and the reservation tells.
      if (error instanceof DomainError) await this.activation.undoSurely(plan);
      else this.reservations.leave(plan);
      throw error;
    }
  }

  private async makeKey(plan: Reservation): Promise<SecretText> {
    try {
      return await this.activation.makeKey(plan);
    } catch (error) {
      // Undone by now, unless something else went wrong than the license service.
      this.reservations.leave(plan);
      throw error;
    }
  }

  /** @throws NotFound when the customer was deleted while the key was made */
  private async write(plan: Reservation, key: SecretText): Promise<IssuedLicense> {
    const { license, issued } = firstRecord(plan, key);
    const number = await this.transactions.inUnit((unit) =>
      this.transactions.lastly(async () => {
        const kept = this.admission.keep(unit, plan.customerId);
        const [, written] = await awaitBoth(kept, this.reservations.useSpare(unit, plan, license, issued));
        return written;
      }, unit),
    );
    return { license: licenseView({ number, ...license }, BillingDate.of(plan.reservedAt)), key };
  }
}
