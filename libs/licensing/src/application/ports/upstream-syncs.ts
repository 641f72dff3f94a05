import type { Uuid } from '#kernel/crypto/uuid';

export interface UpstreamSyncRequest {
  readonly licenseId: Uuid;
  /** Another one with every request for the license. */
  readonly requestId: Uuid;
  /** How often it was tried in vain. */
  readonly attempts: number;
}

/** The outbox: licenses of which the license service must learn the present truth. */
export abstract class UpstreamSyncs {
  /** Written with the change that makes it necessary; at once due, also when an earlier request waits. */
  abstract request(licenseId: Uuid, now: Date): Promise<void>;
  /** Takes up to `limit` due requests and puts them off to `retryAt`, so that no other poller takes them meanwhile. */
  abstract take(now: Date, retryAt: Date, limit: number): Promise<UpstreamSyncRequest[]>;
  /**
   * The license service knows the owner of `ownerSequence`: transfers up to it are synced, and the request is done
   * unless a newer one came.
   */
  abstract done(request: UpstreamSyncRequest, ownerSequence: number): Promise<void>;
  /** Leaves it for later without counting an attempt. */
  abstract postpone(request: UpstreamSyncRequest, until: Date): Promise<void>;
  /** Counts the attempt. @param givenUp whether waiting transfers are to be shown as failed */
  abstract failed(request: UpstreamSyncRequest, retryAt: Date, givenUp: boolean): Promise<void>;
}
