import { BillingDate } from '#kernel/time/calendar-date';
import { Invalid } from '#kernel/errors';
import { parseInstant } from '#kernel/time/instant';
import type { Uuid } from '#kernel/crypto/uuid';
import {
  effectiveDateBeforeIssue,
  effectiveDateBeforeLastTransfer,
  effectiveDateInFuture,
} from './licensing-errors.js';

/** Who commercially owns a license. Customer and contract belong to the partner. */
export interface Owner {
  readonly partnerId: Uuid;
  readonly customerId: Uuid;
  readonly contractId: Uuid;
}

export function sameOwner(a: Owner, b: Owner): boolean {
  return a.partnerId === b.partnerId && a.customerId === b.customerId && a.contractId === b.contractId;
}

/**
 * A new open ownership span of a license under a contract. `openedBy` and `closedBy` are positions in the license's
 * ledger.
 */
export interface OpenedSpan {
  readonly contractId: Uuid;
  readonly firstDay: BillingDate;
  readonly openedBy: number;
  /** Whether the license draws a slot of the contract's pack, if this is its first span there. */
  readonly drawsFromPack: boolean;
}

/** The end of the open span. */
export interface ClosedSpan {
  readonly firstDay: BillingDate;
  /** Inclusive. The day before `firstDay` if the span has no day left; the span is then removed. */
  readonly lastDay: BillingDate;
  readonly closedBy: number;
}

/**
 * The change of a license's ownership spans. Only the last span can change: a license has at most one open span, and no
 * transfer takes effect before that span began.
 */
export interface OwnershipChange {
  readonly ended: ClosedSpan | null;
  readonly began: OpenedSpan | null;
}

/** The first day that gets another owner or loses its owner. Bills change from this day on. */
export function firstChangedDay({ ended, began }: OwnershipChange): BillingDate {
  const first = began?.firstDay ?? ended?.lastDay.plusDays(1);
  if (!first) throw new Error('the change of ownership is empty');
  return first;
}

/**
 * The UTC day of an RFC 3339 instant: 2026-05-01T01:30+02:00 is 2026-04-30. A plain date is that day; if omitted,
 * today.
 * @throws Invalid if the text is neither
 */
export function effectiveDayOf(text: string | undefined, today: BillingDate): BillingDate {
  if (text === undefined) return today;
  const day = BillingDate.parse(text);
  if (day) return day;
  const instant = parseInstant(text);
  if (!instant) throw Invalid.field('effectiveDate', 'must be an RFC 3339 timestamp');
  return BillingDate.of(instant);
}

/**
 * Checks only that an effective date is not after today.
 * @throws Invalid as `effectiveDayOf`, and `effective-date-in-future`
 */
export function assertNotInFuture(text: string | undefined, today: BillingDate): void {
  if (today.isBefore(effectiveDayOf(text, today))) throw effectiveDateInFuture();
}

/** @throws Invalid if a transfer cannot take effect on the day */
export function assertEffectiveDay(
  day: BillingDate,
  license: { readonly issuedOn: BillingDate; readonly lastTransferOn: BillingDate | null },
  today: BillingDate,
): void {
  if (today.isBefore(day)) throw effectiveDateInFuture();
  if (day.isBefore(license.issuedOn)) throw effectiveDateBeforeIssue();
  if (license.lastTransferOn && day.isBefore(license.lastTransferOn)) throw effectiveDateBeforeLastTransfer();
}
