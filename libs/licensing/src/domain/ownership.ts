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

/** An open ownership span of a license under a contract. Events are positions in the license's ledger. */
export interface NewStay {
  readonly contractId: Uuid;
  readonly firstDay: BillingDate;
  readonly openedBy: number;
  /** Whether the license draws a slot of the contract's pack, if this is its first span there. */
  readonly drawsFromPack: boolean;
}

/** The open span that now ends. */
export interface EndedStay {
  readonly firstDay: BillingDate;
  /** Inclusive. Before `firstDay` if the span has no day left: then it is as if it had never existed. */
  readonly lastDay: BillingDate;
  readonly closedBy: number;
}

/**
 * How the ownership of a license's days changes. A license has at most one open span, and a change of the owner never
 * takes effect before that one began. So only the last span ever changes.
 */
export interface OwnershipChange {
  readonly ended: EndedStay | null;
  readonly began: NewStay | null;
}

/** The first day owned by somebody else, or by nobody: billing changes from then on. */
export function firstChangedDay({ ended, began }: OwnershipChange): BillingDate {
  const first = began?.firstDay ?? ended?.lastDay.plusDays(1);
  if (!first) throw new Error('a change of ownership that changes nothing');
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
 * Checks an effective date against the clock only.
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
