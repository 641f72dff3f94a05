import type { Uuid } from '#kernel/crypto/uuid';

export const FEED_EVENT_TYPES = [
  'service.status',
  'service.health',
  'service.removed',
  'deployment.status',
  'deployment.step',
  'deployment.log',
  'backup.status',
] as const;
export type FeedEventType = (typeof FEED_EVENT_TYPES)[number];

/** Something that watchers of a service are told. */
export interface FeedEvent {
  readonly type: FeedEventType;
  readonly serviceId: Uuid;
  /** The organisation that the service belongs to: who may be told of it once the service is gone. */
  readonly customerId: Uuid | null;
  /** With `deployment.*` only. */
  readonly deploymentId: Uuid | null;
  /** JSON; no secret. Only `deployment.log` holds what containers wrote. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly at: Date;
}

/** The outbox of what happens to services, which every process of the panel API reads. */
export abstract class ServiceFeed {
  /** In the current transaction: told exactly when it commits. */
  abstract append(events: readonly FeedEvent[]): Promise<void>;
}
