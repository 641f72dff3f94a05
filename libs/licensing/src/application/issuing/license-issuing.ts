import { Injectable } from '@nestjs/common';
import { Randomness } from '#kernel/crypto/randomness';
import type { Uuid } from '#kernel/crypto/uuid';
import type { Actor } from '../actor.js';
import { KeyedMutex } from '../changes/keyed-mutex.js';
import { FailPoints } from '../ports/fail-points.js';
import { JoiningLicenseService, LicenseService } from '../ports/license-service.js';
import { InterruptedIssues } from './interrupted-issues.js';
import { LicenseActivation, type IssuedLicense } from './license-activation.js';
import { LicensePlanning, type IssueLicense } from './license-planning.js';

/**
 * Issues licenses. With a license service in our own database this is one write. With a remote one there are three
 * steps: a reservation, which counts against the contract; the key from the license service; the license. If the
 * process dies before the last step, the reservation is undone and its key revoked.
 */
@Injectable()
export class LicenseIssuing {
  constructor(
    private readonly planning: LicensePlanning,
    private readonly activation: LicenseActivation,
    private readonly interrupted: InterruptedIssues,
    private readonly mutex: KeyedMutex,
    private readonly randomness: Randomness,
    private readonly service: LicenseService,
    private readonly failPoints: FailPoints,
  ) {}

  /**
   * The operation id becomes the license's id, so a repeat finds the same license or resumes the earlier attempt.
   * @throws NotFound for a customer or contract outside the subtree
   * @throws Invalid `edition-unknown`, `contract-partner-mismatch`, `edition-not-in-contract`
   * @throws Conflict `contract-not-valid`, `contract-cap-reached`, `pack-exhausted`
   * @throws Unavailable if the license service issues no key: no license exists then
   */
  issue(actor: Actor, wanted: IssueLicense): Promise<IssuedLicense> {
    const licenseId = actor.operationId ?? this.randomness.uuid();
    return this.mutex.take(licenseId, async () => {
      const again = actor.operationId === null ? null : await this.interrupted.resume(actor.subtree, licenseId);
      const issued = again ?? (await this.begin(actor, wanted, licenseId));
      await this.failPoints.reach('issue: committed');
      return issued;
    });
  }

  private async begin(actor: Actor, wanted: IssueLicense, licenseId: Uuid): Promise<IssuedLicense> {
    const { service } = this;
    if (service instanceof JoiningLicenseService)
      return this.planning.plan(actor, wanted, licenseId, (plan) => this.activation.issue(plan, service));
    const reservation = await this.planning.plan(actor, wanted, licenseId, (plan) => this.activation.reserve(plan));
    return this.activation.activate(reservation);
  }
}
