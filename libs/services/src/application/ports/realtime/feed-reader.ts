import type { Uuid } from '#kernel/crypto/uuid';
import type { OrganisationScope } from '../../../domain/organisation-scope.js';
import type { FeedEvent, FeedEventType } from './service-feed.js';

export interface FeedEntry extends FeedEvent {
  /** Increasing. Numbers can be missing, and an entry can become visible after one with a higher number. */
  readonly seq: number;
}

/** Selects events of one service, of one deployment or, if both ids are null, of everything in the scope. */
export interface FeedSelection {
  readonly scope: OrganisationScope;
  readonly serviceId: Uuid | null;
  readonly deploymentId: Uuid | null;
  readonly types: readonly FeedEventType[];
}

/** The reading side of the service feed. */
export abstract class FeedReader {
  /** The highest visible number, or 0 for an empty feed. */
  abstract newest(): Promise<number>;
  /** The visible entries with a number above `seq`, in order. */
  abstract after(seq: number, limit: number): Promise<readonly FeedEntry[]>;
  /** Ids of open transactions that may have numbers assigned which are not visible yet. */
  abstract writers(): Promise<ReadonlySet<string>>;
  /**
   * The selected entries after `since` (exclusive) up to `upTo` (inclusive), in order.
   * @returns null if some of them may have been deleted or there are more than `limit`
   */
  abstract missed(
    selection: FeedSelection,
    since: number,
    upTo: number,
    limit: number,
  ): Promise<readonly FeedEntry[] | null>;
  /** Deletes older entries. @returns how many */
  abstract forget(olderThanMs: number): Promise<number>;
}
