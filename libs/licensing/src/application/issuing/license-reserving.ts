import { Injectable } from '@nestjs/common';
import type { BillingContract } from '#libs/billing';
import type { CustomerRef } from '#libs/customers';
import { BillingDate } from '#kernel/time/calendar-date';
import { Clock } from '#kernel/time/clock';
import { Randomness } from '#kernel/crypto/randomness';
import { Transactions, type UnitOfWork } from '#kernel/transactions';
import type { Uuid } from '#kernel/crypto/uuid';
import { Editions } from '../../domain/editions.js';
import { contractPartnerMismatch, editionUnknown } from '../../domain/licensing-errors.js';
import type { Actor } from '../actor.js';
import { LicenseAdmission } from './license-admission.js';
import {
  ReservationRepository,
  type NumberedReservation,
  type Reservation,
  type Reserved,
} from '../ports/reservation-repository.js';

export interface IssueLicense {
  readonly customerId: Uuid;
  readonly contractId: Uuid;
  readonly edition: string;
  readonly externalBillingRef: string;
}

/** What a license will be, whatever its ids. */
type Terms = Omit<Reservation, keyof Reserved>;

/** Reserves licenses, or takes over what an earlier try reserved. What it holds is held in a unit of work of the caller. */
@Injectable()
export class LicenseReserving {
  constructor(
    private readonly reservations: ReservationRepository,
    private readonly admission: LicenseAdmission,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
    private readonly editions: Editions,
  ) {}

  /** As `plan`, and written at last, so that it counts against the contract when the transaction has ended. */
  async reserve(unit: UnitOfWork, actor: Actor, wish: IssueLicense, licenseId: Uuid): Promise<NumberedReservation> {
    const planned = await this.plan(unit, actor, wish, licenseId);
    return this.transactions.lastly(() => this.reservations.insert(unit, planned), unit);
  }

  /**
   * What a license would be, on a spare reservation and with nothing held: whoever writes it keeps the customer.
   * @returns null when the contract is held to issue
   * @throws DomainError as `plan`, as far as it concerns other contracts
   */
  async planOnSpare(actor: Actor, wish: IssueLicense): Promise<Reservation | null> {
    if (!this.editions.has(wish.edition)) throw editionUnknown(this.editions.names);
    const { customer, contract } = await this.admission.look(actor.subtree, wish);
    await actor.confirmed();
    if (contract.isHeldToIssue) return null;
    const terms = this.termsOf(actor, wish, customer, contract);
    const { licenseId, attemptId, upstreamLicenseId } = await this.reservations.takeSpare();
    return { licenseId, attemptId, upstreamLicenseId, ...terms };
  }

  /**
   * What a license would be, with customer and contract held.
   * @throws NotFound for a customer or contract outside the subtree
   * @throws Invalid `edition-unknown`, `contract-partner-mismatch` or `edition-not-in-contract`
   * @throws Conflict `contract-not-valid`, `contract-cap-reached` or `pack-exhausted`
   */
  async plan(unit: UnitOfWork, actor: Actor, wish: IssueLicense, licenseId: Uuid): Promise<Reservation> {
    if (!this.editions.has(wish.edition)) throw editionUnknown(this.editions.names);
    const { customer, contract } = await this.admission.hold(unit, actor.subtree, wish);
    await actor.confirmed();
    const terms = this.termsOf(actor, wish, customer, contract);
    await this.admission.assertRoom(unit, contract, BillingDate.of(terms.reservedAt), null, true);
    return { licenseId, attemptId: this.randomness.uuid(), upstreamLicenseId: this.randomness.uuid(), ...terms };
  }

  /** Takes it, when no living process works on it, so that it can be undone. */
  seize(licenseId: Uuid): Promise<Reserved | null> {
    return this.transactions.run(() => this.reservations.seize(licenseId, this.randomness.uuid()));
  }

  /** Null when there is none; 'busy' while a living process works on it. */
  async takeOver(licenseId: Uuid): Promise<NumberedReservation | 'busy' | null> {
    const held = await this.reservations.findForUpdate(licenseId);
    if (!held) return null;
    if (!held.abandoned) return 'busy';
    const mine = { ...held.reservation, attemptId: this.randomness.uuid(), reservedAt: this.clock.now() };
    await this.reservations.takeOver(mine);
    return mine;
  }

  private termsOf(actor: Actor, wish: IssueLicense, customer: CustomerRef, contract: BillingContract): Terms {
    if (customer.partnerId !== contract.state.partnerId) throw contractPartnerMismatch('contractId', 'customerId');
    const reservedAt = this.clock.now();
    contract.assertIssuable(wish.edition, BillingDate.of(reservedAt));
    const isTrial = contract.state.model === 'trial';
    return {
      customerId: wish.customerId,
      contractId: wish.contractId,
      edition: wish.edition,
      externalBillingRef: wish.externalBillingRef,
      partnerId: customer.partnerId,
      state: isTrial ? 'trial' : 'active',
      expiresOn: isTrial ? contract.state.validTo : null,
      drawsFromPack: contract.state.packSize !== null,
      actor: actor.name,
      reservedAt,
    };
  }
}
