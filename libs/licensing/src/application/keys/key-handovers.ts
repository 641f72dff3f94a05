import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '#kernel/time/clock';
import type { Uuid } from '#kernel/crypto/uuid';
import { License, type LicenseRecord } from '../../domain/license.js';
import { LicenseChanging, type DecidedChange } from '../changes/license-changing.js';
import { LicenseRepository } from '../ports/license-repository.js';
import { OpenHandovers } from '../ports/open-handovers.js';

const BATCH = 100;

/**
 * Detects keys that were lost between the commit of an issue and its response. A license without its key is useless and
 * would still be billed. So it is terminated by the system, and its key is revoked.
 */
@Injectable()
export class KeyHandovers {
  private readonly logger = new Logger(KeyHandovers.name);

  constructor(
    private readonly open: OpenHandovers,
    private readonly licenses: LicenseRepository,
    private readonly changing: LicenseChanging,
    private readonly clock: Clock,
  ) {}

  /**
   * Call it right before sending a response with a key that cannot be requested again. From then on the key counts as
   * delivered, so a license whose owner has the key is never terminated. If the process dies between this call and the
   * response, the key is lost and the license stays.
   * @throws Unavailable if that cannot be recorded: then the key must not be sent
   */
  leaving(licenseId: Uuid): Promise<void> {
    return this.open.leaving(licenseId);
  }

  /** The response is on the network. */
  left(licenseId: Uuid): void {
    this.open.left(licenseId);
  }

  /** The response could not be sent. */
  failed(licenseId: Uuid): void {
    this.open.failed(licenseId);
  }

  /**
   * @returns how many licenses it terminated; those for which the license service failed are tried again in the next
   * run
   */
  async endLost(): Promise<number> {
    let ended = 0;
    for (const id of await this.open.listLost(this.clock.now(), BATCH)) {
      try {
        await this.end(id);
        ended++;
      } catch (error) {
        this.logger.warn(`license ${id} with a lost key was not terminated: ${String(error)}`);
      }
    }
    return ended;
  }

  private async end(id: Uuid): Promise<void> {
    await this.changing.change(
      id,
      () => this.licenses.lookAnywhere(id),
      (record) => Promise.resolve(this.termination(record)),
    );
    await this.open.forget(id);
    this.logger.log(`license ${id} terminated: its key was lost before it was delivered`);
  }

  /** Null if the license has been changed since: its owner then knows of it. */
  private termination(record: LicenseRecord): DecidedChange | null {
    if (record.ledger.length > 1) return null;
    const occasion = { at: this.clock.now(), actor: null, operationId: null };
    const change = License.restore(record).call('terminate', occasion);
    return change && { change, call: { call: 'terminate', edition: null }, occasion };
  }
}
