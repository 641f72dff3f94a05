import { Injectable } from '@nestjs/common';
import { BillingDate } from '#kernel/time/calendar-date';
import { DomainError } from '#kernel/errors';
import type { UnitOfWork } from '#kernel/transactions';
import { chain, headOf } from '../../domain/ledger-chain.js';
import { License, type LicenseChange, type LicenseRecord } from '../../domain/license.js';
import { LicenseRepository, type HeldLicense } from '../ports/license-repository.js';
import { TransferRepository } from '../ports/transfer-repository.js';
import type { AffectedPartners } from './affected-partners.js';
import type { LineProblem } from './import-line.js';
import { ownerOf, transferRecord } from './imported-license.js';
import { ownerProblems } from './past-license-checks.js';
import type { PastEvent, PastTransfer } from './past-license.js';
import type { StagedContinuation } from './ports/staged-lines.js';

/** Adds events and transfers of the past to a license that is here already; they stand behind what it went through here. */
@Injectable()
export class LicenseContinuation {
  constructor(
    private readonly licenses: LicenseRepository,
    private readonly transfers: TransferRepository,
  ) {}

  /** @param unit in which to write what has no problem; null to look for problems alone */
  async go(
    unit: UnitOfWork | null,
    { licenseId, events, transfers }: StagedContinuation,
    now: Date,
    affected: AffectedPartners,
  ): Promise<LineProblem[]> {
    const line = events[0]?.line ?? transfers[0]?.line;
    if (line === undefined) return [];
    const held = unit ? await this.licenses.getForUpdate(unit, licenseId) : await this.look(licenseId);
    // Told already, with the other references that name nothing.
    if (!held) return [];
    if (held.pending) return [{ line, message: 'license has a change under way: try again shortly' }];
    const problems: LineProblem[] = [];
    let record = held.record;
    for (const each of [...events, ...transfers].sort((a, b) => a.line - b.line)) {
      const step = 'event' in each ? eventChange(record, each) : transferChange(record, each, now);
      if (Array.isArray(step)) problems.push(...step);
      else {
        if (unit && problems.length === 0) await this.write(unit, step, each, now, affected);
        record = step.after;
      }
    }
    return problems;
  }

  private async look(licenseId: StagedContinuation['licenseId']): Promise<HeldLicense | null> {
    const record = await this.licenses.find(licenseId);
    return record && { record, pending: null, abandoned: false };
  }

  private async write(
    unit: UnitOfWork,
    change: LicenseChange,
    line: PastEvent | PastTransfer,
    now: Date,
    affected: AffectedPartners,
  ): Promise<void> {
    const eventIds = await this.licenses.write(unit, change);
    if ('event' in line) return;
    const idOf = (event: string) => eventIds[change.entries.findIndex((entry) => entry.event === event)];
    const [out, into] = [idOf('license.transferred_out'), idOf('license.transferred_in')];
    if (out === undefined || into === undefined) throw new Error('a transfer without its ledger events');
    const createdAt = change.entries[0]?.at ?? now;
    const transfer = { ...transferRecord(change.after.id, change.before, line), createdAt };
    await this.transfers.insert(unit, transfer, change, { out, in: into }, line.to.contract.drawsFromPack);
    for (const partnerId of [change.before.partnerId, line.to.partnerId]) affected.affect(partnerId, line.effectiveOn);
  }
}

function eventChange(record: LicenseRecord, { line, event, at, actor }: PastEvent): LicenseChange | LineProblem[] {
  if (event === 'license.issued' || event === 'license.terminated') {
    return [{ line, message: `event ${event} of a license that is here already stands in its ledger` }];
  }
  const entries = chain(record.id, record.ledger, [{ event, at, actor, customerId: null, data: {} }]);
  return { before: record, after: { ...record, ledger: headOf(record.ledger, entries) }, entries };
}

function transferChange(record: LicenseRecord, transfer: PastTransfer, now: Date): LicenseChange | LineProblem[] {
  const { line, to, effectiveOn, recordedAt, id } = transfer;
  const foreign = ownerProblems(line, to, ['toCustomerRef', 'toContractRef'], 'toPartnerRef');
  if (foreign.length > 0) return foreign;
  const { isTrial, validTo, editions } = to.contract;
  if (editions.length > 0 && !editions.includes(record.edition)) {
    return [{ line, message: 'toContractRef does not cover the edition of the license' }];
  }
  const earliest = effectiveOn.startsAt() < record.issuedAt ? record.issuedAt : effectiveOn.startsAt();
  const at = recordedAt ?? earliest;
  try {
    const terms = {
      transferId: id,
      to: ownerOf(to),
      effectiveOn,
      expiresOn: isTrial ? validTo : null,
      toTrialContract: isTrial,
    };
    // The day of an effective date that lies before the issue would be told as one in the future.
    const occasion = { at: BillingDate.of(at).isBefore(effectiveOn) ? now : at, actor: null, operationId: null };
    return License.restore(record).transfer(terms, occasion);
  } catch (error) {
    if (error instanceof DomainError) return [{ line, message: error.message }];
    throw error;
  }
}
