import type { PartnerSubtree } from '#libs/partners';
import type { PageRequest } from '#kernel/page';
import type { Uuid } from '#kernel/crypto/uuid';
import type { LedgerEventType } from '../../domain/ledger-event.js';

export interface ActivityEvent {
  readonly id: number;
  readonly event: LedgerEventType;
  readonly at: Date;
  readonly actor: string | null;
  readonly customerId: Uuid | null;
  readonly licenseId: Uuid;
  readonly licenseHumanId: string;
  readonly data: Readonly<Record<string, string>>;
}

/** Every given condition must hold. */
export interface ActivityFilter {
  /** Any of these; names that no event has select nothing. */
  readonly events?: readonly string[];
  /** Exactly this one; null selects events without an actor. */
  readonly actor?: string | null;
  /** Both inclusive. */
  readonly from?: Date;
  readonly to?: Date;
}

/** A slice of the activity; `after` (exclusive) names an event and then `offset` is not used. */
export type ActivityPage = Pick<PageRequest, 'limit' | 'offset'> & { readonly after: number | null };

export interface ActivitySummary {
  readonly customerId: Uuid;
  readonly total: number;
  readonly firstAt: Date | null;
  readonly lastAt: Date | null;
  /** By name. */
  readonly byEvent: readonly { readonly event: string; readonly count: number }[];
  /** By name, events without an actor last. */
  readonly byActor: readonly { readonly actor: string | null; readonly count: number }[];
}

/** A part of the activity to be written to a file, newest first. */
export interface ActivityExport {
  /** Events that match, exported or not. */
  readonly total: number;
  readonly events: AsyncIterable<ActivityEvent>;
}

/**
 * The ledger as a customer's activity: what happened to its licenses while they were its own, and what was recorded
 * before customers existed about the licenses that it has now. All throw NotFound when the subtree has no such
 * customer.
 */
export abstract class ActivityQueries {
  /**
   * Newest first, by time and id.
   * @throws NotFound also when `page.after` names no event of the customer
   */
  abstract list(
    subtree: PartnerSubtree,
    customerId: Uuid,
    filter: ActivityFilter,
    page: ActivityPage,
  ): Promise<ActivityEvent[]>;
  abstract summary(subtree: PartnerSubtree, customerId: Uuid): Promise<ActivitySummary>;
  /** @param cap how many events at most */
  abstract export(
    subtree: PartnerSubtree,
    customerId: Uuid,
    filter: ActivityFilter,
    cap: number,
  ): Promise<ActivityExport>;
}
