import { Injectable } from '@nestjs/common';
import { Contracts } from '#libs/billing';
import { BillingDate } from '#kernel/time/calendar-date';
import { Clock } from '#kernel/time/clock';
import type { Uuid } from '#kernel/crypto/uuid';
import { Editions } from '../../domain/editions.js';
import type { LicenseRecord } from '../../domain/license.js';
import { editionUnknown } from '../../domain/licensing-errors.js';
import type { Actor } from '../actor.js';
import { licenseView, type LicenseView } from '../license-view.js';
import { LicenseRepository, type ChangeCall } from '../ports/license-repository.js';
import { LicenseChanging, type DecidedChange } from './license-changing.js';
import { changeFor } from './pending-changes.js';

/**
 * Suspends, resumes, terminates and changes the edition of a license. All throw NotFound for a license outside the
 * subtree, Conflict from the state machine, and Unavailable if the license service does not answer.
 */
@Injectable()
export class LicenseChanges {
  constructor(
    private readonly licenses: LicenseRepository,
    private readonly changing: LicenseChanging,
    private readonly contracts: Contracts,
    private readonly clock: Clock,
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

  /** @throws Invalid `edition-unknown`, or `edition-not-in-contract` if the license's contract excludes it */
  changeEdition(actor: Actor, id: Uuid, edition: string): Promise<LicenseView> {
    if (!this.editions.has(edition)) throw editionUnknown(this.editions.names);
    return this.change(actor, id, { call: 'edition', edition });
  }

  private async change(actor: Actor, id: Uuid, call: ChangeCall): Promise<LicenseView> {
    const after = await this.changing.change(
      id,
      () => this.licenses.look(actor.subtree, id),
      (record) => this.decide(actor, record, call),
    );
    return licenseView(after, BillingDate.of(this.clock.now()));
  }

  /**
   * The clock is read after the license, and the write requires an unchanged license. So the times in the ledger
   * increase.
   */
  private async decide(actor: Actor, record: LicenseRecord, call: ChangeCall): Promise<DecidedChange | null> {
    const { name, operationId } = actor;
    if (operationId !== null && operationId === record.lastOperationId) return null;
    const { edition } = call;
    if (edition !== null && edition !== record.edition) {
      const contract = await this.contracts.lookForIssuing(actor.subtree, record.contractId);
      contract.assertAllows(edition);
    }
    const occasion = { at: this.clock.now(), actor: name, operationId };
    const change = changeFor(record, call, occasion);
    return change && { change, call, occasion };
  }
}
