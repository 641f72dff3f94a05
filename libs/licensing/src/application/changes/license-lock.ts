import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { NotFound } from '#kernel/errors';
import { Randomness } from '#kernel/crypto/randomness';
import { Transactions, type UnitOfWork } from '#kernel/transactions';
import type { Uuid } from '#kernel/crypto/uuid';
import type { LicenseRecord } from '../../domain/license.js';
import { licenseBusy } from '../../domain/licensing-errors.js';
import { KeyedMutex } from './keyed-mutex.js';
import { PendingChanges } from './pending-changes.js';
import { FailPoints } from '../ports/fail-points.js';
import { LicenseRepository, type HeldLicense, type PendingChange } from '../ports/license-repository.js';
import { JoiningLicenseService, LicenseService } from '../ports/license-service.js';

const PATIENCE_MS = 20_000;
const PAUSE_MS = 25;

/** What a look at the license led to. */
type Look<T> = { readonly done: T } | { readonly takenOver: PendingChange; readonly record: LicenseRecord } | 'busy';

/** Reads the license and holds its row. */
type Find = (unit: UnitOfWork) => Promise<HeldLicense | null>;

/** Which change the license service must be told, or null for none. */
type Decide = (record: LicenseRecord, unit: UnitOfWork) => Promise<PendingChange | null>;

/**
 * Lets one change at a time through to a license, over all processes. A change that its process left behind is
 * finished first. All throw NotFound when there is no such license, and Unavailable when a pending change does not end
 * in time or cannot be finished.
 */
@Injectable()
export class LicenseLock {
  private readonly alone: Transactions['run'] = (work) => this.transactions.run(work);
  private readonly shared: Transactions['run'] = (work) => this.transactions.inUnit(work);

  constructor(
    private readonly licenses: LicenseRepository,
    private readonly pending: PendingChanges,
    private readonly turns: KeyedMutex,
    private readonly transactions: Transactions,
    private readonly randomness: Randomness,
    private readonly failPoints: FailPoints,
    private readonly service: LicenseService,
  ) {}

  /** Runs `work` in a transaction that holds the license while no change of it is pending. */
  pass<T>(id: Uuid, find: Find, work: (record: LicenseRecord, unit: UnitOfWork) => Promise<T>): Promise<T> {
    return this.turns.take(id, () =>
      this.whenFree(find, async (record, unit) => {
        const done = await work(record, unit);
        await this.failPoints.reach('gate: about to commit');
        return done;
      }),
    );
  }

  /**
   * Makes a change that the license service must know. It is announced in the transaction that decides, and finished
   * there when the license service takes part in it. Both are handed their unit of work: its context knows of none.
   * @returns the license afterwards
   */
  change(id: Uuid, find: Find, decide: Decide): Promise<LicenseRecord> {
    return this.turns.take(id, async () => {
      const { service } = this;
      if (service instanceof JoiningLicenseService)
        return this.whenFree(find, (held, unit) => this.changeAtOnce(unit, held, decide, service), this.shared);
      const announce = async (held: LicenseRecord, unit: UnitOfWork) => {
        const wanted = await decide(held, unit);
        if (wanted) await this.transactions.lastly(() => this.licenses.announce(unit, wanted), unit);
        return { record: held, change: wanted };
      };
      const { record, change } = await this.whenFree(find, announce, this.shared);
      return change ? this.pending.finish(record, change) : record;
    });
  }

  private async changeAtOnce(
    unit: UnitOfWork,
    record: LicenseRecord,
    decide: Decide,
    service: JoiningLicenseService,
  ): Promise<LicenseRecord> {
    const wanted = await decide(record, unit);
    if (!wanted) return record;
    // Its writes may be committed before they are answered.
    await this.failPoints.reach('gate: about to commit');
    return this.pending.finishAtOnce(unit, record, wanted, service);
  }

  private async whenFree<T>(
    find: Find,
    work: (record: LicenseRecord, unit: UnitOfWork) => Promise<T>,
    open = this.alone,
  ): Promise<T> {
    for (let waited = 0; waited <= PATIENCE_MS; waited += PAUSE_MS) {
      const look = await open((unit) => this.look(unit, find, work));
      if (look === 'busy') await pause(PAUSE_MS);
      else if ('takenOver' in look) await this.pending.finish(look.record, look.takenOver);
      else {
        await this.failPoints.reach('gate: committed');
        return look.done;
      }
    }
    throw licenseBusy();
  }

  private async look<T>(
    unit: UnitOfWork,
    find: Find,
    work: (record: LicenseRecord, unit: UnitOfWork) => Promise<T>,
  ): Promise<Look<T>> {
    const held = await find(unit);
    if (!held) throw new NotFound();
    if (!held.pending) return { done: await work(held.record, unit) };
    if (!held.abandoned) return 'busy';
    const takenOver = { ...held.pending, changeId: this.randomness.uuid() };
    await this.licenses.takeOver(unit, takenOver);
    return { takenOver, record: held.record };
  }
}
