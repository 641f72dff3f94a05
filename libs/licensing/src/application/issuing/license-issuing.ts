import { Injectable } from '@nestjs/common';
import { Randomness } from '#kernel/crypto/randomness';
import { Transactions, type UnitOfWork } from '#kernel/transactions';
import type { Uuid } from '#kernel/crypto/uuid';
import type { LicenseRecord } from '../../domain/license.js';
import { licenseBusy } from '../../domain/licensing-errors.js';
import type { Actor } from '../actor.js';
import { DirectIssue } from './direct-issue.js';
import { LicenseActivation, type IssuedLicense } from './license-activation.js';
import { LicenseReserving, type IssueLicense } from './license-reserving.js';
import { KeyedMutex } from '../changes/keyed-mutex.js';
import { FailPoints } from '../ports/fail-points.js';
import { LicenseRepository } from '../ports/license-repository.js';
import { JoiningLicenseService, LicenseService } from '../ports/license-service.js';
import type { NumberedReservation } from '../ports/reservation-repository.js';

/**
 * Issues licenses: a reservation that counts against the contract, then the key from the license service, then the
 * license. A process that dies before the last step leaves a reservation that is undone, key and all.
 */
@Injectable()
export class LicenseIssuing {
  constructor(
    private readonly licenses: LicenseRepository,
    private readonly reserving: LicenseReserving,
    private readonly activation: LicenseActivation,
    private readonly direct: DirectIssue,
    private readonly turns: KeyedMutex,
    private readonly transactions: Transactions,
    private readonly randomness: Randomness,
    private readonly service: LicenseService,
    private readonly failPoints: FailPoints,
  ) {}

  /**
   * The operation becomes the license's id: a repeat of it is about the same license, and goes on where an earlier try
   * ended.
   * @throws NotFound for a customer or contract outside the subtree
   * @throws Invalid `edition-unknown`, `contract-partner-mismatch`, `edition-not-in-contract`
   * @throws Conflict `contract-not-valid`, `contract-cap-reached`, `pack-exhausted`
   * @throws Unavailable when the license service makes no key: no license exists then
   */
  issue(actor: Actor, wish: IssueLicense): Promise<IssuedLicense> {
    const licenseId = actor.operationId ?? this.randomness.uuid();
    return this.turns.take(licenseId, async () => {
      const { service } = this;
      const issued =
        service instanceof JoiningLicenseService
          ? await this.open(actor, (unit) => this.issueAtOnce(unit, actor, wish, licenseId, service))
          : ((await this.issueDirectly(actor, wish)) ?? (await this.issueInSteps(actor, wish, licenseId)));
      await this.failPoints.reach('issue: committed');
      return issued;
    });
  }

  /** Undoes a reservation that nobody works on. For the reconciler. */
  async undoAbandoned(licenseId: Uuid): Promise<void> {
    await this.turns.take(licenseId, async () => {
      const mine = await this.reserving.seize(licenseId);
      if (mine) await this.activation.undo(mine);
    });
  }

  /** In one transaction, the license service's record included: a reservation would be gone before anybody sees it. */
  private async issueAtOnce(
    unit: UnitOfWork,
    actor: Actor,
    wish: IssueLicense,
    licenseId: Uuid,
    service: JoiningLicenseService,
  ): Promise<IssuedLicense> {
    const begun = await this.earlierTry(unit, actor, licenseId);
    if (!begun) return this.activation.issue(unit, await this.reserving.plan(unit, actor, wish, licenseId), service);
    return 'reservedAt' in begun ? this.activation.activate(begun) : this.activation.answerAgain(begun);
  }

  /** Null without asking for a request that can be repeated: what it left is found by its license. */
  private issueDirectly(actor: Actor, wish: IssueLicense): Promise<IssuedLicense | null> {
    return actor.operationId === null ? this.direct.issue(actor, wish) : Promise.resolve(null);
  }

  private async issueInSteps(actor: Actor, wish: IssueLicense, licenseId: Uuid): Promise<IssuedLicense> {
    const begun = await this.open(
      actor,
      async (unit) =>
        (await this.earlierTry(unit, actor, licenseId)) ?? this.reserving.reserve(unit, actor, wish, licenseId),
    );
    return 'reservedAt' in begun ? this.activation.activate(begun) : this.activation.answerAgain(begun);
  }

  /** What an earlier try left is found, held and finished by its context. */
  private open<T>(actor: Actor, work: (unit: UnitOfWork) => Promise<T>): Promise<T> {
    return actor.operationId === null ? this.transactions.inUnit(work) : this.transactions.together(work);
  }

  /**
   * Null without asking for a request that is never repeated.
   * @throws Unavailable while a living process works on it
   */
  private async earlierTry(
    unit: UnitOfWork,
    actor: Actor,
    licenseId: Uuid,
  ): Promise<NumberedReservation | LicenseRecord | null> {
    if (actor.operationId === null) return null;
    const earlier = await this.reserving.takeOver(licenseId);
    if (earlier === 'busy') throw licenseBusy();
    if (earlier) return earlier;
    const issued = await this.licenses.findForUpdate(unit, actor.subtree, licenseId);
    return issued?.record ?? null;
  }
}
