import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Contracts, type BillingContract, type ContractEndListener } from '#libs/billing';
import { BillingDate } from '#kernel/time/calendar-date';
import { Clock } from '#kernel/time/clock';
import { Transactions } from '#kernel/transactions';
import type { Uuid } from '#kernel/crypto/uuid';
import { License } from '../../domain/license.js';
import { LicenseRepository } from '../ports/license-repository.js';
import { LicenseWriter } from '../ports/license-writer.js';
import { UpstreamSyncs } from '../ports/upstream-syncs.js';

const BATCH = 500;

/**
 * Stores that trials have expired, with the ledger event. Reads already show such a trial as expired. Also keeps the
 * last day of trials equal to that of their contract.
 */
@Injectable()
export class TrialExpiry implements ContractEndListener, OnModuleInit {
  constructor(
    private readonly licenses: LicenseRepository,
    private readonly writer: LicenseWriter,
    private readonly syncs: UpstreamSyncs,
    private readonly contracts: Contracts,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.contracts.onEndChanged(this);
  }

  /** @returns how many trials were recorded as expired by this run */
  async expireDue(): Promise<number> {
    const today = BillingDate.of(this.clock.now());
    let expired = 0;
    for (;;) {
      const due = await this.licenses.listDueTrials(today, null, BATCH);
      let recorded = 0;
      for (const id of due) if (await this.transactions.run(() => this.expire(id))) recorded++;
      expired += recorded;
      // The remaining ones have a pending change, which will record the expiry.
      if (due.length < BATCH || recorded === 0) return expired;
    }
  }

  /** Trials that expired before the contract's end was moved stay expired; the others get the new end. */
  async contractEndChanged({ state }: BillingContract): Promise<void> {
    if (state.model !== 'trial') return;
    const now = this.clock.now();
    for (const id of await this.licenses.listDueTrials(BillingDate.of(now), state.id, Number.MAX_SAFE_INTEGER)) {
      await this.expire(id);
    }
    for (const id of await this.licenses.moveTrialEnds(state.id, state.validTo)) await this.syncs.request(id, now);
  }

  private async expire(id: Uuid): Promise<boolean> {
    const held = await this.licenses.getForUpdate(id);
    if (!held || held.pending) return false;
    const change = License.restore(held.record).expire({ at: this.clock.now(), actor: null, operationId: null });
    if (change) await this.writer.write(change, null);
    return change !== null;
  }
}
