import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { NotFound } from '#kernel/errors';
import { Randomness } from '#kernel/crypto/randomness';
import type { Uuid } from '#kernel/crypto/uuid';
import type { LicenseChange, LicenseRecord, Occasion } from '../../domain/license.js';
import { licenseBusy } from '../../domain/licensing-errors.js';
import { FailPoints } from '../ports/fail-points.js';
import type { ChangeCall, FoundLicense, PendingChange } from '../ports/license-repository.js';
import { JoiningLicenseService, LicenseService } from '../ports/license-service.js';
import { LicenseWriter } from '../ports/license-writer.js';
import { KeyedMutex } from './keyed-mutex.js';
import { LicenseLock } from './license-lock.js';
import { PendingChanges } from './pending-changes.js';

const MAX_WAIT_MS = 20_000;
const PAUSE_MS = 25;

/** The decision: the change of the license, and the call to the license service. */
export interface DecidedChange {
  readonly change: LicenseChange;
  readonly call: ChangeCall;
  readonly occasion: Occasion;
}

/** Reads the current license. */
type Look = () => Promise<FoundLicense | null>;
/** Returns null if there is nothing to change. */
type Decide = (record: LicenseRecord) => Promise<DecidedChange | null>;

/**
 * Changes a license: look, decide, write, and start again if the license changed in between. With a license service in
 * our own database this is one write. With a remote one the change is first announced in the database, then sent to the
 * license service, then written. So no transaction waits for the network, and another process can finish a change whose
 * process died.
 */
@Injectable()
export class LicenseChanging {
  constructor(
    private readonly writer: LicenseWriter,
    private readonly pending: PendingChanges,
    private readonly lock: LicenseLock,
    private readonly mutex: KeyedMutex,
    private readonly randomness: Randomness,
    private readonly failPoints: FailPoints,
    private readonly service: LicenseService,
  ) {}

  /**
   * @returns the license afterwards
   * @throws NotFound if there is no such license
   * @throws Unavailable if it is busy for too long, or the license service does not answer
   */
  change(id: Uuid, look: Look, decide: Decide): Promise<LicenseRecord> {
    return this.mutex.take(id, async () => {
      for (let waited = 0; waited <= MAX_WAIT_MS; waited += PAUSE_MS) {
        const found = await look();
        if (!found) throw new NotFound();
        const after = found.pending ? null : await this.decideAndWrite(found.record, decide);
        if (after) return after;
        if (found.abandoned) await this.lock.finishAbandoned(id);
        else await pause(PAUSE_MS);
      }
      throw licenseBusy();
    });
  }

  /** Null if the license changed in the meantime. */
  private async decideAndWrite(record: LicenseRecord, decide: Decide): Promise<LicenseRecord | null> {
    const decided = await decide(record);
    if (!decided) return record;
    const { service } = this;
    if (!(service instanceof JoiningLicenseService)) return this.announceAndFinish(record, decided);
    await this.failPoints.reach('change: about to commit');
    const call = service.joinChange(record.upstreamLicenseId, decided.call);
    if (!(await this.writer.write(decided.change, call))) return null;
    await this.failPoints.reach('change: committed');
    return decided.change.after;
  }

  private async announceAndFinish(
    record: LicenseRecord,
    { call, occasion }: DecidedChange,
  ): Promise<LicenseRecord | null> {
    const announced: PendingChange = {
      ...call,
      licenseId: record.id,
      changeId: this.randomness.uuid(),
      actor: occasion.actor,
      requestedAt: occasion.at,
      operationId: occasion.operationId,
    };
    return (await this.writer.announce(record, announced)) ? this.pending.finish(record, announced) : null;
  }
}
