import { drawingSpans, NEVER, ownershipSpans, type LicenseHistory } from '#libs/billing';
import { BillingDate } from '#kernel/time/calendar-date';
import type { Uuid } from '#kernel/crypto/uuid';
import { chain, EMPTY_CHAIN, headOf, type LedgerEntry } from '../../domain/ledger-chain.js';
import type { LedgerFact } from '../../domain/ledger-event.js';
import type { LicenseRecord } from '../../domain/license.js';
import type { RunningState } from '../../domain/license-state.js';
import type { Owner } from '../../domain/ownership.js';
import type { NewTransfer } from '../ports/transfer-repository.js';
import { PastLedger } from './past-ledger.js';
import type { PastEvent, PastLicense, PastTransfer } from './past-license.js';

/** An ownership span of the license under a contract; events are positions in its ledger. */
export interface ImportedSpan {
  readonly contractId: Uuid;
  readonly firstDay: BillingDate;
  /** Inclusive; null while the span is open. */
  readonly lastDay: BillingDate | null;
  readonly openedBy: number;
  readonly closedBy: number | null;
}

export interface ImportedDraw {
  readonly contractId: Uuid;
  readonly drawnOn: BillingDate;
  readonly drawnBy: number;
}

/** Everything stored for a license that is imported with its history. */
export interface ImportedLicense {
  /** Assigned by the database. */
  readonly record: Omit<LicenseRecord, 'number'>;
  readonly keyHash: string | null;
  readonly sealedKey: Buffer | null;
  readonly entries: readonly LedgerEntry[];
  readonly spans: readonly ImportedSpan[];
  readonly draws: readonly ImportedDraw[];
  readonly transfers: readonly (NewTransfer & { readonly ownerSequence: number })[];
}

/**
 * Builds what the application would have stored if it had processed these calls at their time. Call it only for a
 * history without problems.
 */
export function importedLicense(
  license: PastLicense & { readonly upstreamLicenseId: Uuid },
  events: readonly PastEvent[],
  transfers: readonly PastTransfer[],
  now: Date,
): ImportedLicense {
  const conversion = conversionOf(license, transfers);
  const ledger = new PastLedger(license, events, transfers, conversion, now);
  const facts = ledger.facts();
  const entries = chain(license.id, EMPTY_CHAIN, facts);
  const owner = ownerOf(transfers.at(-1)?.to ?? license.owner);
  const record: ImportedLicense['record'] = {
    ...owner,
    id: license.id,
    upstreamLicenseId: license.upstreamLicenseId,
    keyMasked: license.keyMasked,
    edition: license.edition,
    externalBillingRef: license.externalBillingRef,
    metadata: '',
    issuedAt: license.issuedAt,
    terminatedAt: ledger.terminated && laterOf(license.terminatedAt, license.issuedAt),
    lastTransferOn: transfers.at(-1)?.effectiveOn ?? null,
    ownerSequence: transfers.length + 1,
    lastOperationId: null,
    ledger: headOf(EMPTY_CHAIN, entries),
    ...stateOf(license, transfers, conversion, ledger.expiredAt),
  };
  const positions = new Map(facts.map((fact, index) => [fact, index + 1]));
  const history = historyOf(license, transfers, ledger, positions);
  const packs = new Set(
    [license.owner, ...transfers.map(({ to }) => to)].filter(({ contract }) => contract.drawsFromPack).map(idOf),
  );
  return {
    record,
    keyHash: license.keyHash,
    sealedKey: license.sealedKey,
    entries,
    spans: ownershipSpans(history).map(({ contractId, firstDay, lastDay, openedBy, closedBy }) => ({
      contractId,
      firstDay: BillingDate.fromEpochDay(firstDay),
      lastDay: lastDay === NEVER ? null : BillingDate.fromEpochDay(lastDay),
      openedBy: known(openedBy),
      closedBy,
    })),
    draws: drawingSpans(history)
      .filter(({ contractId }) => packs.has(contractId))
      .map(({ contractId, firstDay, openedBy }) => {
        return { contractId, drawnOn: BillingDate.fromEpochDay(firstDay), drawnBy: known(openedBy) };
      }),
    transfers: transfers.map((transfer, index) => {
      const from = transfers[index - 1]?.to ?? license.owner;
      return {
        ...transferRecord(license.id, from, transfer),
        createdAt: ledger.transfers[index]!.at,
        ownerSequence: index + 2,
      };
    }),
  };
}

/** A trial license stays a trial until it moves to a paid contract; an expired one stays expired. */
function conversionOf(license: PastLicense, transfers: readonly PastTransfer[]): PastTransfer | null {
  if (!license.owner.contract.isTrial || license.state === 'expired') return null;
  return transfers.find(({ to }) => !to.contract.isTrial) ?? null;
}

function stateOf(
  license: PastLicense,
  transfers: readonly PastTransfer[],
  conversion: PastTransfer | null,
  expiredAt: Date | null,
): Pick<LicenseRecord, 'state' | 'suspendedFrom' | 'expiresOn'> {
  const isTrial = license.owner.contract.isTrial && !conversion;
  const running: RunningState = isTrial ? 'trial' : 'active';
  const state = license.state === 'trial' ? running : license.state;
  const suspendedFrom = state === 'suspended' ? running : null;
  const { validTo } = (transfers.at(-1)?.to ?? license.owner).contract;
  if (expiredAt) return { state, suspendedFrom, expiresOn: BillingDate.of(expiredAt).plusDays(-1) };
  return { state, suspendedFrom, expiresOn: isTrial && state !== 'active' ? validTo : null };
}

function historyOf(
  license: PastLicense,
  transfers: readonly PastTransfer[],
  ledger: PastLedger,
  positions: ReadonlyMap<LedgerFact, number>,
): LicenseHistory {
  return {
    contractId: license.owner.contractId,
    issuedOn: BillingDate.of(license.issuedAt),
    issueEventId: positions.get(ledger.issued),
    terminatedOn: license.terminatedAt && BillingDate.of(license.terminatedAt),
    terminationEventId: ledger.terminated ? positions.get(ledger.terminated) : undefined,
    transfers: transfers.map(({ effectiveOn, to }, index) => ({
      effectiveDate: effectiveOn,
      recordedOrder: index,
      toContractId: to.contractId,
      outEventId: positions.get(ledger.transfers[index]!.out),
      inEventId: positions.get(ledger.transfers[index]!.in),
    })),
  };
}

export function transferRecord(licenseId: Uuid, from: Owner, { id, to, effectiveOn, reason }: PastTransfer) {
  return {
    id,
    licenseId,
    fromPartnerId: from.partnerId,
    fromCustomerId: from.customerId,
    fromContractId: from.contractId,
    toPartnerId: to.partnerId,
    toCustomerId: to.customerId,
    toContractId: to.contractId,
    reason,
    effectiveDate: effectiveOn,
    createdBy: null,
  };
}

export function ownerOf({ partnerId, customerId, contractId }: Owner): Owner {
  return { partnerId, customerId, contractId };
}

function idOf({ contractId }: Owner): Uuid {
  return contractId;
}

function known(position: number | null): number {
  if (position === null) throw new Error('the ownership span has no opening event');
  return position;
}

function laterOf(at: Date | null, issuedAt: Date): Date | null {
  return at && (at < issuedAt ? issuedAt : at);
}
