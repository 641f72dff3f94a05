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

/** An event that watchers of a service receive. */
export interface FeedEvent {
  readonly type: FeedEventType;
  readonly serviceId: Uuid;
  /** The organisation of the service. Stored here, because it decides who sees the event after a removal. */
  readonly customerId: Uuid | null;
  /** Null except for `deployment.*`. */
  readonly deploymentId: Uuid | null;
  /** JSON without secrets. Only `deployment.log` contains output of containers. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly at: Date;
}

/** The outbox for events of services. Every process of the panel API reads it. */
export abstract class ServiceFeed {
  /** Runs in the current transaction, so events are published if and only if it commits. */
  abstract append(events: readonly FeedEvent[]): Promise<void>;
}
