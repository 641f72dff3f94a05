import type { BillingDate } from '#kernel/time/calendar-date';
import type { Uuid } from '#kernel/crypto/uuid';

/** The last day of a stay that has no end yet: later than every day. */
export const NEVER = Number.MAX_SAFE_INTEGER;

/** A stay of one license under one contract. Days are epoch days and both ends are counted. */
export interface OwnershipSpan {
  readonly contractId: Uuid;
  readonly firstDay: number;
  /** NEVER while the stay goes on; `firstDay - 1` for a stay of no day. */
  readonly lastDay: number;
  /** Ledger event that began the stay (issued, transferred in); null when it is not asked for. */
  readonly openedBy: number | null;
  /** Ledger event that ended the stay (transferred out, terminated); null while it goes on. */
  readonly closedBy: number | null;
}

export interface RecordedTransfer {
  /** The first day of the new contract. */
  readonly effectiveDate: BillingDate;
  /** Rises with every transfer that is recorded: of two with one effective day the higher wins. */
  readonly recordedOrder: number;
  readonly toContractId: Uuid;
  readonly outEventId?: number;
  readonly inEventId?: number;
}

/** What decides the payer of each day of a license; nothing else does. */
export interface LicenseHistory {
  readonly contractId: Uuid;
  readonly issuedOn: BillingDate;
  readonly issueEventId?: number;
  /** Counted (billing rule 2); null while the license is not terminated, suspended and expired ones included. */
  readonly terminatedOn: BillingDate | null;
  readonly terminationEventId?: number;
  /** In any order. */
  readonly transfers: readonly RecordedTransfer[];
}

/**
 * The stays of a license, earliest first: from the issue day through the termination day each day lies in exactly one
 * of them. The effective day of a transfer belongs to the new contract, and of several transfers with one effective
 * day the last recorded wins: the contracts between vanish.
 */
export function ownershipSpans(history: LicenseHistory): OwnershipSpan[] {
  return stays(history).filter((stay) => stay.lastDay >= stay.firstDay);
}

/**
 * The first stay of the license under each contract that it was ever issued on or moved to, stays of no day included:
 * what draws a slot from a pack, on `firstDay`, for good. A move dated after the termination draws nothing.
 */
export function drawingStays(history: LicenseHistory): OwnershipSpan[] {
  const first = new Map<Uuid, OwnershipSpan>();
  for (const stay of stays(history)) {
    if (!first.has(stay.contractId)) first.set(stay.contractId, stay);
  }
  return [...first.values()];
}

function stays(history: LicenseHistory): OwnershipSpan[] {
  const issueDay = history.issuedOn.epochDay;
  const terminationDay = history.terminatedOn?.epochDay ?? NEVER;
  const moves = [...history.transfers].sort(
    (a, b) => a.effectiveDate.epochDay - b.effectiveDate.epochDay || a.recordedOrder - b.recordedOrder,
  );
  let contractId = history.contractId;
  let firstDay = issueDay;
  let openedBy = history.issueEventId ?? null;
  const result: OwnershipSpan[] = [];
  for (const move of moves) {
    // A move dated before the issue decides the owner of the issue day.
    const day = Math.max(move.effectiveDate.epochDay, issueDay);
    if (day > terminationDay) break;
    result.push({ contractId, firstDay, lastDay: day - 1, openedBy, closedBy: move.outEventId ?? null });
    contractId = move.toContractId;
    firstDay = day;
    openedBy = move.inEventId ?? null;
  }
  const closedBy = history.terminationEventId ?? null;
  result.push({ contractId, firstDay, lastDay: terminationDay, openedBy, closedBy });
  return result;
}
