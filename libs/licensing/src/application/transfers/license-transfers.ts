import { Injectable } from '@nestjs/common';
import { LateFacts, type BillingContract } from '#libs/billing';
import { BillingDate } from '#kernel/time/calendar-date';
import { Clock } from '#kernel/time/clock';
import { Randomness } from '#kernel/crypto/randomness';
import type { Uuid } from '#kernel/crypto/uuid';
import { License, type LicenseChange, type LicenseRecord, type TransferTerms } from '../../domain/license.js';
import { contractPartnerMismatch } from '../../domain/licensing-errors.js';
import { assertNotInFuture, effectiveDayOf } from '../../domain/ownership.js';
import type { Actor } from '../actor.js';
import { LicenseAdmission } from '../issuing/license-admission.js';
import { LicenseLock } from '../changes/license-lock.js';
import { LicenseRepository } from '../ports/license-repository.js';
import { LicenseWriter } from '../ports/license-writer.js';
import { TransferRepository } from '../ports/transfer-repository.js';
import { transferView, type TransferView } from './transfer-view.js';

export interface TransferLicense {
  readonly licenseId: Uuid;
  readonly toPartnerId: Uuid;
  readonly toCustomerId: Uuid;
  readonly toContractId: Uuid;
  readonly reason: string;
  /** RFC 3339; today if omitted. */
  readonly effectiveDate: string | undefined;
}

/** The caller of a transfer sees both ends, because both must be in its subtree. */
const BOTH_ENDS = { from: true, to: true };

/**
 * Transfers licenses between owners, in one transaction. The key stays the same, and the license service learns the new
 * owner afterwards from the outbox.
 */
@Injectable()
export class LicenseTransfers {
  constructor(
    private readonly licenses: LicenseRepository,
    private readonly transfers: TransferRepository,
    private readonly admission: LicenseAdmission,
    private readonly lateFacts: LateFacts,
    private readonly writer: LicenseWriter,
    private readonly lock: LicenseLock,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /**
   * @param tokenId the calling token; null for staff, who may choose any past day
   * @throws NotFound if license, partner, customer or contract are outside the subtree
   * @throws Invalid `contract-partner-mismatch`, `edition-not-in-contract`, or for the effective date
   * @throws Conflict `license-terminated`, `transfer-same-owner`, `contract-not-valid`, `contract-cap-reached`,
   * `pack-exhausted`
   */
  async transfer(actor: Actor, tokenId: Uuid | null, wanted: TransferLicense): Promise<TransferView> {
    // A 422 that needs no look-up comes before a 404.
    assertNotInFuture(wanted.effectiveDate, BillingDate.of(this.clock.now()));
    const { toPartnerId: partnerId, toCustomerId: customerId, toContractId: contractId } = wanted;
    let target: Awaited<ReturnType<LicenseAdmission['hold']>>;
    const find = async () => {
      target = await this.admission.hold(actor.subtree, { partnerId, customerId, contractId });
      return this.licenses.findForUpdate(actor.subtree, wanted.licenseId);
    };
    return this.lock.hold(wanted.licenseId, find, async (record) => {
      const earlier = actor.operationId && (await this.transfers.find(actor.operationId));
      if (earlier) return transferView(earlier, BOTH_ENDS);
      const { customer, contract } = target;
      if ([customer.partnerId, contract.state.partnerId].some((owner) => owner !== partnerId)) {
        throw contractPartnerMismatch('toContractId', 'toCustomerId', 'toPartnerId');
      }
      return this.move(actor, tokenId, wanted, record, contract);
    });
  }

  private async move(
    actor: Actor,
    tokenId: Uuid | null,
    wanted: TransferLicense,
    record: LicenseRecord,
    contract: BillingContract,
  ): Promise<TransferView> {
    const at = this.clock.now();
    const transferId = actor.operationId ?? this.randomness.uuid();
    const isNewTo = record.contractId !== wanted.toContractId;
    // 422 comes before 409, which would reveal the license's state.
    if (isNewTo) contract.assertAllows(record.edition);
    const terms = await this.termsOf(wanted, transferId, tokenId, contract, BillingDate.of(at));
    const change = License.restore(record).transfer(terms, { at, actor: actor.name, operationId: actor.operationId });
    if (isNewTo) await this.assertAccepted(change, contract, terms.effectiveOn, at);
    await this.writer.write(change, null);
    const transfer = await this.transfers.insert(
      {
        id: transferId,
        licenseId: record.id,
        fromPartnerId: record.partnerId,
        fromCustomerId: record.customerId,
        fromContractId: record.contractId,
        toPartnerId: terms.to.partnerId,
        toCustomerId: terms.to.customerId,
        toContractId: terms.to.contractId,
        reason: wanted.reason,
        effectiveDate: terms.effectiveOn,
        createdBy: tokenId,
        createdAt: at,
      },
      change,
    );
    await this.lateFacts.changed([record.partnerId, terms.to.partnerId], terms.effectiveOn);
    return transferView(transfer, BOTH_ENDS);
  }

  private async termsOf(
    { licenseId, toPartnerId, toCustomerId, toContractId, effectiveDate }: TransferLicense,
    transferId: Uuid,
    tokenId: Uuid | null,
    contract: BillingContract,
    today: BillingDate,
  ): Promise<TransferTerms> {
    const isTrial = contract.state.model === 'trial';
    const returning = { partnerId: toPartnerId, otherThanContractId: toContractId };
    return {
      transferId,
      to: { partnerId: toPartnerId, customerId: toCustomerId, contractId: toContractId },
      effectiveOn: effectiveDayOf(effectiveDate, today),
      expiresOn: isTrial ? contract.state.validTo : null,
      toTrialContract: isTrial,
      drawsFromPack: contract.state.packSize !== null,
      backdating: tokenId && {
        newContractBills: contract.bills,
        gaveAwayPastDays: await this.transfers.tookPastDays(licenseId, returning),
      },
    };
  }

  /** A contract takes over a license under the same rules as it takes a new one. */
  private async assertAccepted({ after }: LicenseChange, contract: BillingContract, day: BillingDate, at: Date) {
    contract.assertIssuable(after.edition, day);
    const live = after.state !== 'expired';
    await this.admission.assertRoom(contract, BillingDate.of(at), after.id, live);
  }
}
