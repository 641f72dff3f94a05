import { Injectable } from '@nestjs/common';
import { Clock } from '#kernel/time/clock';
import { DomainError } from '#kernel/errors';
import { Transactions } from '#kernel/transactions';
import { License, type LicenseChange, type LicenseRecord, type Occasion } from '../../domain/license.js';
import { licenseBusy } from '../../domain/licensing-errors.js';
import { FailPoints } from '../ports/fail-points.js';
import { LicenseRepository, type ChangeCall, type PendingChange } from '../ports/license-repository.js';
import { LicenseService } from '../ports/license-service.js';
import { LicenseWriter } from '../ports/license-writer.js';
import { UpstreamSyncs } from '../ports/upstream-syncs.js';

/**
 * Finishes announced changes: calls the license service, then writes the change. A change whose process died is
 * finished in the same way, because every call to the license service may be repeated.
 */
@Injectable()
export class PendingChanges {
  constructor(
    private readonly licenses: LicenseRepository,
    private readonly writer: LicenseWriter,
    private readonly service: LicenseService,
    private readonly syncs: UpstreamSyncs,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly failPoints: FailPoints,
  ) {}

  /**
   * @returns the license afterwards
   * @throws Unavailable if the license service does not answer; the change stays announced and is finished later
   */
  async finish(record: LicenseRecord, pending: PendingChange): Promise<LicenseRecord> {
    const change = planned(record, pending);
    if (!change) {
      // The change has no effect any more, but the license service may already have been called.
      await this.transactions.run(async () => {
        if (await this.licenses.withdraw(pending)) await this.syncs.request(record.id, this.clock.now());
      });
      return record;
    }
    await this.failPoints.reach(`${pending.call}: announced`);
    try {
      await this.tellService(record, pending);
    } catch (error) {
      await this.transactions.run(() => this.licenses.abandon(pending)).catch(() => undefined);
      throw error;
    }
    await this.failPoints.reach(`${pending.call}: license service updated`);
    await this.complete(change, pending);
    await this.failPoints.reach(`${pending.call}: committed`);
    return change.after;
  }

  private async complete(change: LicenseChange, pending: PendingChange): Promise<void> {
    if (await this.writer.complete(change, pending)) return;
    // Another process took the change over. Our call may have overwritten a later state at the license service.
    await this.transactions.run(() => this.syncs.request(pending.licenseId, this.clock.now()));
    throw licenseBusy();
  }

  private tellService({ upstreamLicenseId }: LicenseRecord, { call, edition }: PendingChange): Promise<void> {
    switch (call) {
      case 'suspend':
        return this.service.suspend(upstreamLicenseId);
      case 'resume':
        return this.service.reinstate(upstreamLicenseId);
      case 'terminate':
        return this.service.revoke(upstreamLicenseId);
      case 'edition':
        return this.service.changeEdition(upstreamLicenseId, edition ?? '');
    }
  }
}

/** Null if the change has no effect any more. */
function planned(record: LicenseRecord, pending: PendingChange): LicenseChange | null {
  const { actor, requestedAt: at, operationId } = pending;
  try {
    return changeFor(record, pending, { at, actor, operationId });
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}

/**
 * What a call changes on a license. Null if it changes nothing.
 * @throws Conflict from the state machine
 */
export function changeFor(
  record: LicenseRecord,
  { call, edition }: ChangeCall,
  occasion: Occasion,
): LicenseChange | null {
  const license = License.restore(record);
  return call === 'edition' ? license.changeEdition(edition ?? '', occasion) : license.call(call, occasion);
}
