import type { BillingDate } from '#kernel/time/calendar-date';
import type { Uuid } from '#kernel/crypto/uuid';

/** The last day of an open span: later than every day. */
export const NEVER = Number.MAX_SAFE_INTEGER;

/** An ownership span of one license under one contract. Days are epoch days, both ends included. */
export interface OwnershipSpan {
  readonly contractId: Uuid;
  readonly firstDay: number;
  /** NEVER while the span is open; `firstDay - 1` for a span without a day. */
  readonly lastDay: number;
  /** Ledger event that began the span (issued, transferred in); null if not requested. */
  readonly openedBy: number | null;
  /** Ledger event that ended the span (transferred out, terminated); null while it is open. */
  readonly closedBy: number | null;
}

export interface RecordedTransfer {
  /** The first day of the new contract. */
  readonly effectiveDate: BillingDate;
  /** Increases with every recorded transfer. Of two with the same effective day, the higher one wins. */
  readonly recordedOrder: number;
  readonly toContractId: Uuid;
  readonly outEventId?: number;
  readonly inEventId?: number;
}

/** The facts that decide who pays for each day of a license. */
export interface LicenseHistory {
  readonly contractId: Uuid;
  readonly issuedOn: BillingDate;
  readonly issueEventId?: number;
  /** Inclusive (billing rule 2); null while the license is not terminated, including suspended and expired ones. */
  readonly terminatedOn: BillingDate | null;
  readonly terminationEventId?: number;
  /** In any order. */
  readonly transfers: readonly RecordedTransfer[];
}

/**
 * The spans of a license, earliest first: from the issue day through the termination day, each day is in exactly one.
 * The effective day of a transfer belongs to the new contract. Of several transfers with one effective day the last
 * recorded wins, and the contracts in between are dropped.
 */
export function ownershipSpans(history: LicenseHistory): OwnershipSpan[] {
  return allSpans(history).filter((span) => span.lastDay >= span.firstDay);
}

/**
 * The first span of the license under each contract that it was ever issued on or moved to, including spans without a
 * day. Each draws a slot of a pack for good, on `firstDay`. A transfer dated after the termination draws nothing.
 */
export function drawingSpans(history: LicenseHistory): OwnershipSpan[] {
  const first = new Map<Uuid, OwnershipSpan>();
  for (const span of allSpans(history)) {
    if (!first.has(span.contractId)) first.set(span.contractId, span);
  }
  return [...first.values()];
}

function allSpans(history: LicenseHistory): OwnershipSpan[] {
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
    // A transfer dated before the issue takes effect on the issue day.
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
