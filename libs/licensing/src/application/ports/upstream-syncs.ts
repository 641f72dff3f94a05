import type { Uuid } from '#kernel/crypto/uuid';

export interface UpstreamSyncRequest {
  readonly licenseId: Uuid;
  /** Changes with every request for the license. */
  readonly requestId: Uuid;
  /** Number of failed attempts. */
  readonly attempts: number;
}

/** The outbox: licenses whose record at the license service must be updated. */
export abstract class UpstreamSyncs {
  /** Written with the change that requires it; due at once, even if an earlier request waits. */
  abstract request(licenseId: Uuid, now: Date): Promise<void>;
  /** Takes up to `limit` due requests and postpones them to `retryAt`, so that no other poller takes them meanwhile. */
  abstract take(now: Date, retryAt: Date, limit: number): Promise<UpstreamSyncRequest[]>;
  /**
   * The license service knows the owner of `ownerSequence`: transfers up to it are synced, and the request is done
   * unless there is a newer one.
   */
  abstract done(request: UpstreamSyncRequest, ownerSequence: number): Promise<void>;
  /** Postpones it without counting an attempt. */
  abstract postpone(request: UpstreamSyncRequest, until: Date): Promise<void>;
  /**
   * Counts the attempt.
   * @param givenUp whether waiting transfers are shown as failed
   */
  abstract failed(request: UpstreamSyncRequest, retryAt: Date, givenUp: boolean): Promise<void>;
}
