import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '#kernel/time/clock';
import { Unavailable } from '#kernel/errors';
import { Transactions } from '#kernel/transactions';
import type { Uuid } from '#kernel/crypto/uuid';
import type { LicenseRecord } from '../../domain/license.js';
import { KeyDelivery } from '../keys/key-delivery.js';
import { endOf } from '../issuing/orders.js';
import { FailPoints } from '../ports/fail-points.js';
import { LicenseRepository } from '../ports/license-repository.js';
import { LicenseService } from '../ports/license-service.js';
import { UpstreamSyncs, type UpstreamSyncRequest } from '../ports/upstream-syncs.js';

const BATCH = 100;
const AT_ONCE = 8;
/** How long a request is reserved for one worker. Longer than all calls of one sync can take. */
const LEASE_MS = 120_000;
const FIRST_RETRY_MS = 2_000;
const MAX_RETRY_MS = 3_600_000;
/** After this many failures a transfer shows `failed`; retries continue. */
const FAILURES_UNTIL_FAILED = 8;

/** Updates the license service's records of licenses that may be out of date. */
@Injectable()
export class UpstreamSync {
  private readonly logger = new Logger(UpstreamSync.name);

  constructor(
    private readonly syncs: UpstreamSyncs,
    private readonly licenses: LicenseRepository,
    private readonly service: LicenseService,
    private readonly delivery: KeyDelivery,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly failPoints: FailPoints,
  ) {}

  /**
   * Processes due requests in batches.
   * @returns how many it took
   */
  async syncDue(): Promise<number> {
    const due = await this.transactions.run(() => {
      const now = this.clock.now();
      return this.syncs.take(now, later(now, LEASE_MS), BATCH);
    });
    const waiting = [...due];
    const worker = async () => {
      for (let next = waiting.pop(); next; next = waiting.pop()) await this.sync(next);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    return due.length;
  }

  private async sync(request: UpstreamSyncRequest): Promise<void> {
    try {
      await this.delivery.deliver(request.licenseId);
      const record = await this.settled(request.licenseId);
      if (!record) return await this.postpone(request);
      await this.align(record);
      await this.failPoints.reach('sync: license service updated');
      await this.finish(request, record);
    } catch (error) {
      const attempts = request.attempts + 1;
      this.logger.warn(`license ${request.licenseId} not synced, attempt ${attempts}: ${String(error)}`);
      const wait = Math.min(FIRST_RETRY_MS * 2 ** request.attempts, MAX_RETRY_MS);
      const retryAt = later(this.clock.now(), wait);
      await this.transactions.run(() => this.syncs.failed(request, retryAt, attempts >= FAILURES_UNTIL_FAILED));
    }
  }

  /** Null while a change of the license is pending, because the two sides may then differ. */
  private settled(licenseId: Uuid): Promise<LicenseRecord | null> {
    return this.transactions.run(async () => {
      const held = await this.licenses.getForUpdate(licenseId);
      return held && !held.pending ? held.record : null;
    });
  }

  private postpone(request: UpstreamSyncRequest): Promise<void> {
    return this.transactions.run(() => this.syncs.postpone(request, later(this.clock.now(), FIRST_RETRY_MS)));
  }

  private async align(record: LicenseRecord): Promise<void> {
    const { upstreamLicenseId: id, partnerId, customerId, contractId, ownerSequence } = record;
    if (record.state === 'terminated') return this.service.revoke(id);
    const known = await this.service.find(id);
    if (!known)
      throw new Unavailable('license-service-lacks-license', 'The license service does not know the license.');
    if (known.sequence !== ownerSequence) {
      await this.service.syncMetadata(id, { partnerId, customerId, contractId, sequence: ownerSequence });
    }
    const expiresAt = endOf(record.expiresOn);
    if (known.expiresAt?.getTime() !== expiresAt?.getTime()) await this.service.changeExpiry(id, expiresAt);
    if (known.edition !== record.edition) await this.service.changeEdition(id, record.edition);
    const suspended = record.state === 'suspended';
    if (suspended && !known.suspended) await this.service.suspend(id);
    if (!suspended && known.suspended) await this.service.reinstate(id);
  }

  /** A change made in the meantime may have been overwritten by this sync, so it syncs again. */
  private finish(request: UpstreamSyncRequest, told: LicenseRecord): Promise<void> {
    return this.transactions.run(async () => {
      const held = await this.licenses.getForUpdate(told.id);
      const unchanged = held && !held.pending && held.record.ledger.length === told.ledger.length;
      if (unchanged) await this.syncs.done(request, told.ownerSequence);
      else await this.syncs.postpone(request, later(this.clock.now(), FIRST_RETRY_MS));
    });
  }
}

function later(instant: Date, ms: number): Date {
  return new Date(instant.getTime() + ms);
}
