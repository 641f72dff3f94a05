import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '#kernel/time/clock';
import type { Uuid } from '#kernel/crypto/uuid';
import { KeyHandovers } from '../keys/key-handovers.js';
import { LicenseLock } from '../changes/license-lock.js';
import { LicenseIssuing } from '../issuing/license-issuing.js';
import { LicenseRepository } from '../ports/license-repository.js';
import { ReservationRepository } from '../ports/reservation-repository.js';

const BATCH = 100;

/**
 * Ends what a process that died, or a license service that was away, left in the middle: announced changes are
 * finished, reservations are undone with their keys, licenses whose key was lost are terminated. Safe to run in several processes at once.
 */
@Injectable()
export class LicenseReconciliation {
  private readonly logger = new Logger(LicenseReconciliation.name);

  constructor(
    private readonly licenses: LicenseRepository,
    private readonly reservations: ReservationRepository,
    private readonly issuing: LicenseIssuing,
    private readonly gate: LicenseLock,
    private readonly handovers: KeyHandovers,
    private readonly clock: Clock,
  ) {}

  /** @returns how much it brought to an end; what the license service does not let it end stays for the next run */
  async reconcile(): Promise<number> {
    const changes = await this.each(await this.licenses.listAbandoned(BATCH), (id) => this.finishChange(id));
    const issues = await this.each(await this.reservations.listAbandoned(this.clock.now(), BATCH), (id) =>
      this.issuing.undoAbandoned(id),
    );
    return changes + issues + (await this.handovers.endLost());
  }

  /** The gate finishes what is abandoned before it lets anybody through. */
  private finishChange(licenseId: Uuid): Promise<void> {
    return this.gate.pass(
      licenseId,
      (unit) => this.licenses.getForUpdate(unit, licenseId),
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
