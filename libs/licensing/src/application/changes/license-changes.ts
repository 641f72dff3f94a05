import { Injectable } from '@nestjs/common';
import { Contracts } from '#libs/billing';
import { BillingDate } from '#kernel/time/calendar-date';
import { Clock } from '#kernel/time/clock';
import { Randomness } from '#kernel/crypto/randomness';
import type { UnitOfWork } from '#kernel/transactions';
import type { Uuid } from '#kernel/crypto/uuid';
import { Editions } from '../../domain/editions.js';
import { License, type LicenseRecord } from '../../domain/license.js';
import { editionUnknown } from '../../domain/licensing-errors.js';
import type { Actor } from '../actor.js';
import { LicenseLock } from './license-lock.js';
import { licenseView, type LicenseView } from '../license-view.js';
import {
  LicenseRepository,
  type ChangeCall,
  type HeldLicense,
  type PendingChange,
} from '../ports/license-repository.js';

/**
 * Suspend, resume, terminate and change the edition of a license. Each change is announced in one short transaction,
 * told to the license service, and written with its ledger event in another: no transaction waits for the network, and
 * a process that dies in between leaves an announcement that the next one finishes.
 *
 * All throw NotFound for a license outside the subtree, Conflict by the state machine, and Unavailable when the license
 * service gives no answer.
 */
@Injectable()
export class LicenseChanges {
  constructor(
    private readonly licenses: LicenseRepository,
    private readonly gate: LicenseLock,
    private readonly contracts: Contracts,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
    private readonly editions: Editions,
  ) {}

  suspend(actor: Actor, id: Uuid): Promise<LicenseView> {
    return this.change(actor, id, { call: 'suspend', edition: null });
  }

  resume(actor: Actor, id: Uuid): Promise<LicenseView> {
    return this.change(actor, id, { call: 'resume', edition: null });
  }

  terminate(actor: Actor, id: Uuid): Promise<LicenseView> {
    return this.change(actor, id, { call: 'terminate', edition: null });
  }

  /** @throws Invalid `edition-unknown`, or `edition-not-in-contract` when the license's contract excludes it */
  changeEdition(actor: Actor, id: Uuid, edition: string): Promise<LicenseView> {
    if (!this.editions.has(edition)) throw editionUnknown(this.editions.names);
    return this.change(actor, id, { call: 'edition', edition });
  }

  private async change(actor: Actor, id: Uuid, wish: ChangeCall): Promise<LicenseView> {
    const after = await this.gate.change(
      id,
      (unit) => this.find(unit, actor, id),
      (record, unit) => this.decide(unit, actor, record, wish),
    );
    return licenseView(after, BillingDate.of(this.clock.now()));
  }

  private async find(unit: UnitOfWork, actor: Actor, id: Uuid): Promise<HeldLicense | null> {
    const held = await this.licenses.findForUpdate(unit, actor.subtree, id);
    await actor.confirmed();
    return held;
  }

  /** The time is read with the license held: the ledger's times rise as its entries do. */
  private async decide(
    unit: UnitOfWork,
    actor: Actor,
    record: LicenseRecord,
    wish: ChangeCall,
  ): Promise<PendingChange | null> {
    const { operationId } = actor;
    if (operationId !== null && operationId === record.lastOperationId) return null;
    const { call, edition } = wish;
    const license = License.restore(record);
    const occasion = { at: this.clock.now(), actor: actor.name, operationId };
    if (edition !== null && edition !== record.edition) {
      const contract = await this.contracts.getWithin(unit, actor.subtree, record.contractId);
      contract.assertAllows(edition);
    }
    const change = call === 'edition' ? license.changeEdition(edition ?? '', occasion) : license.call(call, occasion);
    return (
      change && {
        ...wish,
        licenseId: record.id,
        changeId: this.randomness.uuid(),
        actor: occasion.actor,
        requestedAt: occasion.at,
        operationId,
      }
    );
  }
}
