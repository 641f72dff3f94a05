import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '#kernel/time/clock';
import type { Uuid } from '#kernel/crypto/uuid';
import { KeyHandovers } from '../keys/key-handovers.js';
import { LicenseLock } from '../changes/license-lock.js';
import { InterruptedIssues } from '../issuing/interrupted-issues.js';
import { LicenseRepository } from '../ports/license-repository.js';
import { ReservationRepository } from '../ports/reservation-repository.js';

const BATCH = 100;

/**
 * Finishes what a dead process or an unavailable license service left half done: announced changes are finished,
 * reservations are undone with their keys, licenses whose key was lost are terminated. Safe to run in several processes
 * at once.
 */
@Injectable()
export class LicenseReconciliation {
  private readonly logger = new Logger(LicenseReconciliation.name);

  constructor(
    private readonly licenses: LicenseRepository,
    private readonly reservations: ReservationRepository,
    private readonly interrupted: InterruptedIssues,
    private readonly lock: LicenseLock,
    private readonly handovers: KeyHandovers,
    private readonly clock: Clock,
  ) {}

  /** @returns how many it finished; those for which the license service failed are tried again in the next run */
  async reconcile(): Promise<number> {
    const changes = await this.each(await this.licenses.listAbandoned(BATCH), (id) => this.finishChange(id));
    const issues = await this.each(await this.reservations.listAbandoned(this.clock.now(), BATCH), (id) =>
      this.interrupted.undoAbandoned(id),
    );
    return changes + issues + (await this.handovers.endLost());
  }

  /** Locking a license finishes its abandoned change. */
  private finishChange(licenseId: Uuid): Promise<void> {
    return this.lock.hold(
      licenseId,
      () => this.licenses.getForUpdate(licenseId),
      () => Promise.resolve(),
    );
  }

  private async each(ids: readonly Uuid[], work: (id: Uuid) => Promise<void>): Promise<number> {
    let done = 0;
    for (const id of ids) {
      try {
        await work(id);
        done++;
      } catch (error) {
        this.logger.warn(`license ${id} not reconciled: ${String(error)}`);
      }
    }
    return done;
  }
}
