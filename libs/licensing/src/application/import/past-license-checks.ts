import { BillingDate } from '#kernel/time/calendar-date';
import { DomainError } from '#kernel/errors';
import { assertEffectiveDay, sameOwner, type Owner } from '../../domain/ownership.js';
import { transferSameOwner } from '../../domain/licensing-errors.js';
import type { LineProblem } from './import-line.js';
import type { NamedOwner, PastEvent, PastLicense, PastTransfer } from './past-license.js';

/**
 * Finds contradictions in the history of a license. Transfers come in the order in which they were recorded. An import
 * reports facts, so it does not check whether a contract was valid, full or exhausted at that time.
 */
export function historyProblems(
  license: PastLicense,
  events: readonly PastEvent[],
  transfers: readonly PastTransfer[],
  today: BillingDate,
): LineProblem[] {
  return [
    ...ownerProblems(license.line, license.owner, ['customerRef', 'contractRef'], 'partnerRef'),
    ...licenseProblems(license, transfers),
    ...transferProblems(license, transfers, today),
    ...eventProblems(license, events),
  ];
}

/** @param fields that name customer and contract */
export function ownerProblems(
  line: number,
  { partnerId, customerPartnerId, contract }: NamedOwner,
  [customerField, contractField]: readonly [string, string],
  partnerField: string,
): LineProblem[] {
  const problems: LineProblem[] = [];
  const foreign = (field: string) => problems.push({ line, message: `${field} must belong to ${partnerField}` });
  if (customerPartnerId !== partnerId) foreign(customerField);
  if (contract.partnerId !== partnerId) foreign(contractField);
  return problems;
}

function licenseProblems(license: PastLicense, transfers: readonly PastTransfer[]): LineProblem[] {
  const { line, edition, state, owner } = license;
  const problems: LineProblem[] = [];
  const { editions } = (transfers.at(-1)?.to ?? owner).contract;
  if (editions.length > 0 && !editions.includes(edition)) {
    problems.push({ line, message: `edition ${edition} is not covered by the contract` });
  }
  if (state === 'trial' && !owner.contract.isTrial) {
    problems.push({ line, message: 'state trial requires a contract with the model trial' });
  }
  return problems;
}

function transferProblems(license: PastLicense, transfers: readonly PastTransfer[], today: BillingDate): LineProblem[] {
  const issuedOn = BillingDate.of(license.issuedAt);
  const terminatedOn = license.terminatedAt && BillingDate.of(license.terminatedAt);
  let owner: Owner = license.owner;
  let lastTransferOn: BillingDate | null = null;
  let lastRecordedAt = license.issuedAt;
  const problems: LineProblem[] = [];
  for (const { line, to, effectiveOn, recordedAt } of transfers) {
    const refuse = (message: string) => problems.push({ line, message });
    problems.push(...ownerProblems(line, to, ['toCustomerRef', 'toContractRef'], 'toPartnerRef'));
    const last = lastTransferOn;
    const impossible = refusalOf(() => assertEffectiveDay(effectiveOn, { issuedOn, lastTransferOn: last }, today));
    if (impossible) refuse(impossible);
    if (sameOwner(owner, to)) refuse(`toPartnerRef, toCustomerRef, toContractRef: ${transferSameOwner().message}`);
    if (terminatedOn?.isBefore(effectiveOn)) refuse('effectiveDate must not be after the termination of the license');
    if (recordedAt) {
      if (recordedAt < lastRecordedAt) refuse('createdAt must not be before the issue or the previous transfer');
      if (BillingDate.of(recordedAt).isBefore(effectiveOn)) refuse('createdAt must not be before effectiveDate');
      if (license.terminatedAt && terminatedOn?.isBefore(BillingDate.of(recordedAt))) {
        refuse('createdAt must not be after the termination of the license');
      }
      lastRecordedAt = recordedAt;
    }
    owner = to;
    lastTransferOn = effectiveOn;
  }
  return problems;
}

function eventProblems({ issuedAt, terminatedAt }: PastLicense, events: readonly PastEvent[]): LineProblem[] {
  const problems: LineProblem[] = [];
  const once = (kind: PastEvent['event']) =>
    events
      .filter(({ event }) => event === kind)
      .slice(1)
      .forEach(({ line }) => problems.push({ line, message: `event ${kind} can happen only once to a license` }));
  once('license.issued');
  once('license.terminated');
  const issuedOn = BillingDate.of(issuedAt);
  const terminatedOn = terminatedAt && BillingDate.of(terminatedAt);
  for (const { line, event, at } of events) {
    const day = BillingDate.of(at);
    if (event === 'license.issued' && issuedOn.isBefore(day)) {
      problems.push({ line, message: 'at must not be after the issuedAt of the license' });
    }
    if (event !== 'license.terminated') continue;
    if (!terminatedOn) problems.push({ line, message: 'event license.terminated, but the license is not terminated' });
    else if (!terminatedOn.equals(day)) {
      problems.push({ line, message: "at must be on the day of the license's terminatedAt" });
    }
  }
  return problems;
}

function refusalOf(check: () => void): string | null {
  try {
    check();
    return null;
  } catch (error) {
    if (error instanceof DomainError) return error.message;
    throw error;
  }
}
