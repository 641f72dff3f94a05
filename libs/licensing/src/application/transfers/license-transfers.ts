import { Injectable } from '@nestjs/common';
import { LateFacts, type BillingContract } from '#libs/billing';
import { BillingDate } from '#kernel/time/calendar-date';
import { Clock } from '#kernel/time/clock';
import { Randomness } from '#kernel/crypto/randomness';
import type { UnitOfWork } from '#kernel/transactions';
import type { Uuid } from '#kernel/crypto/uuid';
import { License, type LicenseChange, type LicenseRecord } from '../../domain/license.js';
import { contractPartnerMismatch } from '../../domain/licensing-errors.js';
import { assertNotInFuture, effectiveDayOf } from '../../domain/ownership.js';
import type { Actor } from '../actor.js';
import { LicenseAdmission } from '../issuing/license-admission.js';
import { LicenseLock } from '../changes/license-lock.js';
import { LicenseRepository } from '../ports/license-repository.js';
import { TransferRepository } from '../ports/transfer-repository.js';
import { transferView, type TransferView } from './transfer-view.js';

export interface TransferLicense {
  readonly licenseId: Uuid;
  readonly toPartnerId: Uuid;
  readonly toCustomerId: Uuid;
  readonly toContractId: Uuid;
  readonly reason: string;
  /** RFC 3339; absent means today. */
  readonly effectiveDate: string | undefined;
}

/** Whoever moves a license has both ends in its subtree. */
const BOTH_ENDS = { from: true, to: true };

/**
 * Moves licenses between owners, in one transaction of ours. The key stays, and the license service learns the new
 * owner afterwards from the outbox.
 */
@Injectable()
export class LicenseTransfers {
  constructor(
    private readonly licenses: LicenseRepository,
    private readonly transfers: TransferRepository,
    private readonly admission: LicenseAdmission,
    private readonly lateFacts: LateFacts,
    private readonly gate: LicenseLock,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /**
   * @param tokenId the calling token; null for the system
   * @throws NotFound when license, partner, customer or contract lie outside the subtree
   * @throws Invalid `contract-partner-mismatch`, `edition-not-in-contract`, or for the effective date
   * @throws Conflict `license-terminated`, `transfer-same-owner`, `contract-not-valid`, `contract-cap-reached`,
   *   `pack-exhausted`
   */
  async transfer(actor: Actor, tokenId: Uuid | null, wish: TransferLicense): Promise<TransferView> {
    // What needs no record comes before any look-up.
    assertNotInFuture(wish.effectiveDate, BillingDate.of(this.clock.now()));
    const { toPartnerId: partnerId, toCustomerId: customerId, toContractId: contractId } = wish;
    let target: Awaited<ReturnType<LicenseAdmission['hold']>>;
    const find = async (unit: UnitOfWork) => {
      target = await this.admission.hold(unit, actor.subtree, { partnerId, customerId, contractId });
      return this.licenses.findForUpdate(unit, actor.subtree, wish.licenseId);
    };
    return this.gate.pass(wish.licenseId, find, async (record, unit) => {
      const earlier = actor.operationId && (await this.transfers.find(actor.operationId));
      if (earlier) return transferView(earlier, BOTH_ENDS);
      const { customer, contract } = target;
      if ([customer.partnerId, contract.state.partnerId].some((owner) => owner !== partnerId)) {
        throw contractPartnerMismatch('toContractId', 'toCustomerId', 'toPartnerId');
      }
      return this.move(unit, actor, tokenId, wish, record, contract);
    });
  }

  private async move(
    unit: UnitOfWork,
    actor: Actor,
    tokenId: Uuid | null,
    wish: TransferLicense,
    record: LicenseRecord,
    contract: BillingContract,
  ): Promise<TransferView> {
    const at = this.clock.now();
    const effectiveOn = effectiveDayOf(wish.effectiveDate, BillingDate.of(at));
    const transferId = actor.operationId ?? this.randomness.uuid();
    const isTrial = contract.state.model === 'trial';
    const to = { partnerId: wish.toPartnerId, customerId: wish.toCustomerId, contractId: wish.toContractId };
    const isNewTo = record.contractId !== to.contractId;
    // 422 comes before 409, by which the license's own state is told.
    if (isNewTo) contract.assertAllows(record.edition);
    const change = License.restore(record).transfer(
      { transferId, to, effectiveOn, expiresOn: isTrial ? contract.state.validTo : null, toTrialContract: isTrial },
      { at, actor: actor.name, operationId: actor.operationId },
    );
    if (isNewTo) await this.assertWelcome(unit, change, contract, effectiveOn, at);
    const eventIds = await this.licenses.write(unit, change);
    const transfer = await this.transfers.insert(
      unit,
      {
        id: transferId,
        licenseId: record.id,
        fromPartnerId: record.partnerId,
        fromCustomerId: record.customerId,
        fromContractId: record.contractId,
        toPartnerId: to.partnerId,
        toCustomerId: to.customerId,
        toContractId: to.contractId,
        reason: wish.reason,
        effectiveDate: effectiveOn,
        createdBy: tokenId,
        createdAt: at,
      },
      change,
      eventIdsOf(change, eventIds),
      contract.state.packSize !== null,
    );
    await this.lateFacts.changed([record.partnerId, to.partnerId], effectiveOn);
    return transferView(transfer, BOTH_ENDS);
  }

  /** A contract takes a license from another one under the rules by which it takes a new one. */
  private async assertWelcome(
    unit: UnitOfWork,
    { after }: LicenseChange,
    contract: BillingContract,
    day: BillingDate,
    at: Date,
  ) {
    contract.assertIssuable(after.edition, day);
    const live = after.state !== 'expired';
    await this.admission.assertRoom(unit, contract, BillingDate.of(at), after.id, live);
  }
}

function eventIdsOf({ entries }: LicenseChange, eventIds: readonly number[]): { out: number; in: number } {
  const idOf = (event: string) => eventIds[entries.findIndex((entry) => entry.event === event)];
  const [out, into] = [idOf('license.transferred_out'), idOf('license.transferred_in')];
  if (out === undefined || into === undefined) throw new Error('a transfer without its ledger events');
  return { out, in: into };
}
