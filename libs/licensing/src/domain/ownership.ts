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

/** A stay of a license under a contract that goes on from its first day. Events are positions in the license's ledger. */
export interface NewStay {
  readonly contractId: Uuid;
  readonly firstDay: BillingDate;
  readonly openedBy: number;
  /** Whether the license draws a slot of the contract's pack, should it be its first stay there. */
  readonly drawsFromPack: boolean;
}

/** The stay that went on until now and comes to its end. */
export interface EndedStay {
  readonly firstDay: BillingDate;
  /** Counted. Before `firstDay` when the stay has no day left: then it is as if it had never been. */
  readonly lastDay: BillingDate;
  readonly closedBy: number;
}

/**
 * How the days of a license change hands. Of all the stays of a license one at most goes on, and a change of the owner
 * never takes effect before that one began: so only the last stay ever changes.
 */
export interface OwnershipChange {
  readonly ended: EndedStay | null;
  readonly began: NewStay | null;
}

/** The first day that somebody else owns, or nobody any more: what is billed from then on changes. */
export function firstChangedDay({ ended, began }: OwnershipChange): BillingDate {
  const first = began?.firstDay ?? ended?.lastDay.plusDays(1);
  if (!first) throw new Error('a change of ownership that changes nothing');
  return first;
}

/**
 * The UTC day of an RFC 3339 instant: 2026-05-01T01:30+02:00 is 2026-04-30. A plain date is its own day; absent means
 * today.
 * @throws Invalid when the text is neither
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
 * What a clock alone can tell of an effective date.
 * @throws Invalid as `effectiveDayOf`, and `effective-date-in-future`
 */
export function assertNotInFuture(text: string | undefined, today: BillingDate): void {
  if (today.isBefore(effectiveDayOf(text, today))) throw effectiveDateInFuture();
}

/** @throws Invalid when a transfer cannot take effect on the day */
export function assertEffectiveDay(
  day: BillingDate,
  license: { readonly issuedOn: BillingDate; readonly lastTransferOn: BillingDate | null },
  today: BillingDate,
): void {
  if (today.isBefore(day)) throw effectiveDateInFuture();
  if (day.isBefore(license.issuedOn)) throw effectiveDateBeforeIssue();
  if (license.lastTransferOn && day.isBefore(license.lastTransferOn)) throw effectiveDateBeforeLastTransfer();
}
