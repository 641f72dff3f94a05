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

/** All given conditions must match. */
export interface ActivityFilter {
  /** Any of these events; unknown names match nothing. */
  readonly events?: readonly string[];
  /** Exactly this actor; null selects events without one. */
  readonly actor?: string | null;
  /** Both inclusive. */
  readonly from?: Date;
  readonly to?: Date;
}

/** A slice of the activity; `after` (exclusive) is an event id, and `offset` is then ignored. */
export type ActivityPage = Pick<PageRequest, 'limit' | 'offset'> & { readonly after: number | null };

export interface ActivitySummary {
  readonly customerId: Uuid;
  readonly total: number;
  readonly firstAt: Date | null;
  readonly lastAt: Date | null;
  /** Sorted by name. */
  readonly byEvent: readonly { readonly event: string; readonly count: number }[];
  /** Sorted by name, events without an actor last. */
  readonly byActor: readonly { readonly actor: string | null; readonly count: number }[];
}

/** The part of the activity to be exported, newest first. */
export interface ActivityExport {
  /** Number of matching events, exported or not. */
  readonly total: number;
  readonly events: AsyncIterable<ActivityEvent>;
}

/**
 * A customer's activity, from the ledger: the events of its licenses while it owned them. For the licenses that it has
 * now, also events from before customers existed. All throw NotFound if the subtree has no such customer.
 */
export abstract class ActivityQueries {
  /**
   * Newest first, by time and id.
   * @throws NotFound also if `page.after` is not an event of the customer
   */
  abstract list(
    subtree: PartnerSubtree,
    customerId: Uuid,
    filter: ActivityFilter,
    page: ActivityPage,
  ): Promise<ActivityEvent[]>;
  abstract summary(subtree: PartnerSubtree, customerId: Uuid): Promise<ActivitySummary>;
  /** @param cap maximum number of events */
  abstract export(
    subtree: PartnerSubtree,
    customerId: Uuid,
    filter: ActivityFilter,
    cap: number,
  ): Promise<ActivityExport>;
}
