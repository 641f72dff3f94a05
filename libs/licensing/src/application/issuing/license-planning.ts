import { Injectable } from '@nestjs/common';
import { LateFacts, type BillingContract } from '#libs/billing';
import type { CustomerRef } from '#libs/customers';
import { BillingDate } from '#kernel/time/calendar-date';
import { Clock } from '#kernel/time/clock';
import { NotFound } from '#kernel/errors';
import { Randomness } from '#kernel/crypto/randomness';
import { Transactions } from '#kernel/transactions';
import type { Uuid } from '#kernel/crypto/uuid';
import { Editions } from '../../domain/editions.js';
import { contractPartnerMismatch, editionUnknown } from '../../domain/licensing-errors.js';
import type { Actor } from '../actor.js';
import type { Reservation } from '../ports/reservation-repository.js';
import { LicenseAdmission } from './license-admission.js';

export interface IssueLicense {
  readonly customerId: Uuid;
  readonly contractId: Uuid;
  readonly edition: string;
  readonly externalBillingRef: string;
}

/** Writes the plan; null if its customer was deleted in the meantime. */
type Write<T> = (plan: Reservation) => Promise<T | null>;

/** Decides the terms of a new license from its current customer and contract. */
@Injectable()
export class LicensePlanning {
  constructor(
    private readonly admission: LicenseAdmission,
    private readonly lateFacts: LateFacts,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
    private readonly editions: Editions,
  ) {}

  /**
   * Reads, decides and calls `write`. If the contract limits its licenses, it is locked during all three.
   * @throws NotFound for a customer or contract outside the subtree
   * @throws Invalid `edition-unknown`, `contract-partner-mismatch` or `edition-not-in-contract`
   * @throws Conflict `contract-not-valid`, `contract-cap-reached` or `pack-exhausted`
   */
  async plan<T>(actor: Actor, wanted: IssueLicense, licenseId: Uuid, write: Write<T>): Promise<T> {
    if (!this.editions.has(wanted.edition)) throw editionUnknown(this.editions.names);
    const { customer, contract } = await this.admission.look(actor.subtree, wanted);
    const written = contract.isLockedToIssue
      ? await this.whileHeld(actor, wanted, licenseId, write)
      : await write(this.planned(actor, wanted, licenseId, customer, contract));
    if (written === null) throw new NotFound();
    return written;
  }

  private whileHeld<T>(actor: Actor, wanted: IssueLicense, licenseId: Uuid, write: Write<T>): Promise<T | null> {
    return this.transactions.run(async () => {
      const { customer, contract } = await this.admission.hold(actor.subtree, wanted);
      const plan = this.planned(actor, wanted, licenseId, customer, contract);
      const day = BillingDate.of(plan.reservedAt);
      await this.admission.assertRoom(contract, day, null, true);
      const written = await write(plan);
      await this.lateFacts.changed([plan.partnerId], day);
      return written;
    });
  }

  private planned(
    actor: Actor,
    wanted: IssueLicense,
    licenseId: Uuid,
    customer: CustomerRef,
    contract: BillingContract,
  ): Reservation {
    if (customer.partnerId !== contract.state.partnerId) throw contractPartnerMismatch('contractId', 'customerId');
    const reservedAt = this.clock.now();
    contract.assertIssuable(wanted.edition, BillingDate.of(reservedAt));
    const isTrial = contract.state.model === 'trial';
    return {
      licenseId,
      attemptId: this.randomness.uuid(),
      upstreamLicenseId: this.randomness.uuid(),
      partnerId: customer.partnerId,
      customerId: wanted.customerId,
      contractId: wanted.contractId,
      edition: wanted.edition,
      externalBillingRef: wanted.externalBillingRef,
      state: isTrial ? 'trial' : 'active',
      expiresOn: isTrial ? contract.state.validTo : null,
      drawsFromPack: contract.state.packSize !== null,
      actor: actor.name,
      reservedAt,
    };
  }
}
