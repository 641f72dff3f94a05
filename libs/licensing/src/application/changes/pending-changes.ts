import { Injectable } from '@nestjs/common';
import { awaitBoth } from '#kernel/await-both';
import { Clock } from '#kernel/time/clock';
import { DomainError } from '#kernel/errors';
import { Transactions, type UnitOfWork } from '#kernel/transactions';
import { License, type LicenseChange, type LicenseRecord } from '../../domain/license.js';
import { licenseBusy } from '../../domain/licensing-errors.js';
import { FailPoints } from '../ports/fail-points.js';
import { LicenseRepository, type PendingChange } from '../ports/license-repository.js';
import { LicenseService, type JoiningLicenseService } from '../ports/license-service.js';
import { UpstreamSyncs } from '../ports/upstream-syncs.js';

/**
 * Finishes announced changes: the license service first, then our transaction. Finishing one that was begun by a
 * process that died is the same work, because every call to the license service may be repeated.
 */
@Injectable()
export class PendingChanges {
  constructor(
    private readonly licenses: LicenseRepository,
    private readonly service: LicenseService,
    private readonly syncs: UpstreamSyncs,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly failPoints: FailPoints,
  ) {}

  /**
   * @returns the license afterwards
   * @throws Unavailable when the license service gives no answer: the change stays announced and is finished later
   */
  async finish(record: LicenseRecord, pending: PendingChange): Promise<LicenseRecord> {
    const change = planned(record, pending);
    if (!change) {
      // Its reason has gone, while the license service may have acted on it.
      await this.transactions.run(async (unit) => {
        if (await this.licenses.withdraw(pending)) await this.syncs.request(unit, record.id, this.clock.now());
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
    await this.failPoints.reach(`${pending.call}: license service told`);
    await this.complete(change, pending);
    await this.failPoints.reach(`${pending.call}: committed`);
    return change.after;
  }

  /**
   * Makes a change that was never announced, in a unit of work in which the license service takes part.
   * @param record is held
   * @returns the license afterwards
   */
  async finishAtOnce(
    unit: UnitOfWork,
    record: LicenseRecord,
    wanted: PendingChange,
    service: JoiningLicenseService,
  ): Promise<LicenseRecord> {
    const change = planned(record, wanted);
    if (!change) return record;
    // Neither is kept without the other: what either cannot do is an error of the transaction.
    await this.transactions.lastly(
      () => awaitBoth(service.change(unit, record.upstreamLicenseId, wanted), this.licenses.write(unit, change)),
      unit,
    );
    return change.after;
  }

  private async complete(change: LicenseChange, pending: PendingChange): Promise<void> {
    const written = await this.transactions.inUnit(async (unit) => {
      const events = await this.licenses.complete(unit, change, pending);
      // Taken over while we were away: what we told the license service may contradict what was done since.
      if (!events) await this.syncs.request(unit, pending.licenseId, this.clock.now());
      return events !== null;
    });
    if (!written) throw licenseBusy();
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

/** Null when the change has no effect (any more). */
function planned(record: LicenseRecord, pending: PendingChange): LicenseChange | null {
  const { call, edition, actor, requestedAt, operationId } = pending;
  const license = License.restore(record);
  const occasion = { at: requestedAt, actor, operationId };
  try {
    return call === 'edition' ? license.changeEdition(edition ?? '', occasion) : license.call(call, occasion);
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}
