import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '#kernel/time/clock';
import type { Uuid } from '#kernel/crypto/uuid';
import { License, type LicenseRecord } from '../../domain/license.js';
import { LicenseChanging, type DecidedChange } from '../changes/license-changing.js';
import { LicenseRepository } from '../ports/license-repository.js';
import { OpenHandovers } from '../ports/open-handovers.js';

const BATCH = 100;

/**
 * Guards the one moment at which a key exists outside the license service: between the commit of an issue and its
 * response. A license whose key was lost there is useless and would be billed for ever. So it is terminated, in the
 * name of the system, and its key revoked.
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
   * Call it right before sending a response with a key that cannot be requested again. A process killed later has sent
   * the response, or dies in the moment between: an owner who has the key never loses it.
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

  /** @returns how many licenses it terminated; those that the license service does not allow stay for the next run */
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
    this.logger.log(`license ${id} terminated: its key was lost on the way to its owner`);
  }

  /** Null if the license has been used since: then its owner decides. */
  private termination(record: LicenseRecord): DecidedChange | null {
    if (record.ledger.length > 1) return null;
    const occasion = { at: this.clock.now(), actor: null, operationId: null };
    const change = License.restore(record).call('terminate', occasion);
    return change && { change, call: { call: 'terminate', edition: null }, occasion };
  }
}
