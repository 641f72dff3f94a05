import type { Uuid } from '#kernel/crypto/uuid';
import type { OrganisationScope } from '../../../domain/organisation-scope.js';
import type { FeedEvent, FeedEventType } from './service-feed.js';

export interface FeedEntry extends FeedEvent {
  /** Grows; not every number is used, and one can be seen later than a higher one. */
  readonly seq: number;
}

/** Which events somebody missed: of one service, of one deployment, or (both null) of all that the scope shows. */
export interface FeedSelection {
  readonly scope: OrganisationScope;
  readonly serviceId: Uuid | null;
  readonly deploymentId: Uuid | null;
  readonly types: readonly FeedEventType[];
}

/** The reading side of the service feed. */
export abstract class FeedReader {
  /** The highest number that can be seen; 0 for an empty feed. */
  abstract newest(): Promise<number>;
  /** What can be seen behind `seq`, by number. */
  abstract after(seq: number, limit: number): Promise<readonly FeedEntry[]>;
  /** The transactions that may still add numbers they were given already; each has a name of its own. */
  abstract writers(): Promise<ReadonlySet<string>>;
  /**
   * What of the selection lies behind `since`, up to and with `upTo`, by number.
   * @returns null when that can no longer be told, or is more than `limit`
   */
  abstract missed(
    selection: FeedSelection,
    since: number,
    upTo: number,
    limit: number,
  ): Promise<readonly FeedEntry[] | null>;
  /** Takes away what was stored longer ago. @returns how many */
  abstract forget(olderThanMs: number): Promise<number>;
}
