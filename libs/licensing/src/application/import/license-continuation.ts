import { Injectable } from '@nestjs/common';
import { BillingDate } from '#kernel/time/calendar-date';
import { DomainError } from '#kernel/errors';
import { chain, headOf } from '../../domain/ledger-chain.js';
import { License, type LicenseChange, type LicenseRecord } from '../../domain/license.js';
import { LicenseRepository, type FoundLicense } from '../ports/license-repository.js';
import { LicenseWriter } from '../ports/license-writer.js';
import { TransferRepository } from '../ports/transfer-repository.js';
import type { AffectedPartners } from './affected-partners.js';
import type { LineProblem } from './import-line.js';
import { ownerOf, transferRecord } from './imported-license.js';
import { ownerProblems } from './past-license-checks.js';
import type { PastEvent, PastTransfer } from './past-license.js';
import type { StagedContinuation } from './ports/staged-lines.js';

/** Appends past events and transfers to a license that already exists, after its own ledger entries. */
@Injectable()
export class LicenseContinuation {
  constructor(
    private readonly licenses: LicenseRepository,
    private readonly writer: LicenseWriter,
    private readonly transfers: TransferRepository,
  ) {}

  /** @param writes whether to write in the caller's transaction; if false, it only looks for problems */
  async go(
    writes: boolean,
    { licenseId, events, transfers }: StagedContinuation,
    now: Date,
    affected: AffectedPartners,
  ): Promise<LineProblem[]> {
    const line = events[0]?.line ?? transfers[0]?.line;
    if (line === undefined) return [];
    const held = writes ? await this.licenses.getForUpdate(licenseId) : await this.look(licenseId);
    // Already reported as a dangling reference.
    if (!held) return [];
    if (held.pending) return [{ line, message: 'license has a change in progress: try again shortly' }];
    const problems: LineProblem[] = [];
    let record = held.record;
    for (const each of [...events, ...transfers].sort((a, b) => a.line - b.line)) {
      const step = 'event' in each ? eventChange(record, each) : transferChange(record, each, now);
      if (Array.isArray(step)) problems.push(...step);
      else {
        if (writes && problems.length === 0) await this.write(step, each, now, affected);
        record = step.after;
      }
    }
    return problems;
  }

  private async look(licenseId: StagedContinuation['licenseId']): Promise<FoundLicense | null> {
    const record = await this.licenses.find(licenseId);
    return record && { record, pending: null, abandoned: false };
  }

  private async write(
    change: LicenseChange,
    line: PastEvent | PastTransfer,
    now: Date,
    affected: AffectedPartners,
  ): Promise<void> {
    await this.writer.write(change, null);
    if ('event' in line) return;
    const createdAt = change.entries[0]?.at ?? now;
    await this.transfers.insert({ ...transferRecord(change.after.id, change.before, line), createdAt }, change);
    for (const partnerId of [change.before.partnerId, line.to.partnerId]) affected.affect(partnerId, line.effectiveOn);
  }
}

function eventChange(record: LicenseRecord, { line, event, at, actor }: PastEvent): LicenseChange | LineProblem[] {
  if (event === 'license.issued' || event === 'license.terminated') {
    return [{ line, message: `event ${event} is already in the ledger of this existing license` }];
  }
  const entries = chain(record.id, record.ledger, [{ event, at, actor, customerId: null, data: {} }]);
  return { before: record, after: { ...record, ledger: headOf(record.ledger, entries) }, entries, ownership: null };
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
      drawsFromPack: to.contract.drawsFromPack,
      backdating: null,
    };
    // With `at` before the effective day, the day would wrongly be reported as in the future.
    const occasion = { at: BillingDate.of(at).isBefore(effectiveOn) ? now : at, actor: null, operationId: null };
    return License.restore(record).transfer(terms, occasion);
  } catch (error) {
    if (error instanceof DomainError) return [{ line, message: error.message }];
    throw error;
  }
}
