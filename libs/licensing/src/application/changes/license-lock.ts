import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { NotFound } from '#kernel/errors';
import { Randomness } from '#kernel/crypto/randomness';
import { Transactions } from '#kernel/transactions';
import type { Uuid } from '#kernel/crypto/uuid';
import type { LicenseRecord } from '../../domain/license.js';
import { licenseBusy } from '../../domain/licensing-errors.js';
import { FailPoints } from '../ports/fail-points.js';
import { LicenseRepository, type FoundLicense, type PendingChange } from '../ports/license-repository.js';
import { KeyedMutex } from './keyed-mutex.js';
import { PendingChanges } from './pending-changes.js';

const MAX_WAIT_MS = 20_000;
const PAUSE_MS = 25;

/** The result of one attempt: the work is done, an abandoned change was taken over, or a change is still pending. */
type Outcome<T> = { readonly done: T } | { readonly takenOver: PendingChange; readonly record: LicenseRecord } | 'busy';

/** Reads the license and locks its row. */
type Find = () => Promise<FoundLicense | null>;

/**
 * Locks a license for rare operations that run in one transaction. An abandoned change is finished first. All methods
 * throw NotFound if there is no such license, and Unavailable if a pending change does not finish in time.
 */
@Injectable()
export class LicenseLock {
  constructor(
    private readonly licenses: LicenseRepository,
    private readonly pending: PendingChanges,
    private readonly mutex: KeyedMutex,
    private readonly transactions: Transactions,
    private readonly randomness: Randomness,
    private readonly failPoints: FailPoints,
  ) {}

  /** Runs `work` in a transaction that locks the license while no change of it is pending. */
  hold<T>(id: Uuid, find: Find, work: (record: LicenseRecord) => Promise<T>): Promise<T> {
    return this.mutex.take(id, () =>
      this.whenFree(find, async (record) => {
        const done = await work(record);
        await this.failPoints.reach('change: about to commit');
        return done;
      }),
    );
  }

  /** Returns once no change of the license is pending. The caller holds the license's mutex in this process. */
  finishAbandoned(id: Uuid): Promise<void> {
    return this.whenFree(
      () => this.licenses.getForUpdate(id),
      () => Promise.resolve(),
    );
  }

  private async whenFree<T>(find: Find, work: (record: LicenseRecord) => Promise<T>): Promise<T> {
    for (let waited = 0; waited <= MAX_WAIT_MS; waited += PAUSE_MS) {
      const outcome = await this.transactions.run(() => this.tryOnce(find, work));
      if (outcome === 'busy') await pause(PAUSE_MS);
      else if ('takenOver' in outcome) await this.pending.finish(outcome.record, outcome.takenOver);
      else {
        await this.failPoints.reach('change: committed');
        return outcome.done;
      }
    }
    throw licenseBusy();
  }

  private async tryOnce<T>(find: Find, work: (record: LicenseRecord) => Promise<T>): Promise<Outcome<T>> {
    const held = await find();
    if (!held) throw new NotFound();
    if (!held.pending) return { done: await work(held.record) };
    if (!held.abandoned) return 'busy';
    const takenOver = { ...held.pending, changeId: this.randomness.uuid() };
    await this.licenses.takeOver(takenOver);
    return { takenOver, record: held.record };
  }
}
