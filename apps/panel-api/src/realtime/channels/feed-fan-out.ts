import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { FeedReader, FeedTail, type FeedEntry } from '#libs/services';
import { RealtimeLimits } from '../realtime-limits.js';
import { eventFrame, type FeedSubscription } from './feed-subscription.js';

/**
 * Reads the event feed from the database while this process has subscribers, and sends each event to those who may see
 * it. Every process reads the feed itself, so it does not matter which process made the change.
 */
@Injectable()
export class FeedFanOut implements OnModuleDestroy {
  private readonly logger = new Logger(FeedFanOut.name);
  private readonly tail: FeedTail;
  private readonly byChannel = new Map<string, Set<FeedSubscription>>();
  private readonly onRemoved = new Set<(serviceId: Uuid) => void>();
  /** Serialises reads of the feed. */
  private turn: Promise<unknown> = Promise.resolve();
  private timer: NodeJS.Timeout | null = null;
  private isFailing = false;
  private isLooking = false;
  private keepers = 0;

  constructor(
    reader: FeedReader,
    private readonly limits: RealtimeLimits,
  ) {
    this.tail = new FeedTail(reader);
  }

  onModuleDestroy(): void {
    this.byChannel.clear();
    this.pause();
  }

  /** Calls back for every service that is removed, as long as the feed is read. */
  heedRemovals(listener: (serviceId: Uuid) => void): void {
    this.onRemoved.add(listener);
  }

  /** @returns the number of the last event before the live events */
  add(subscription: FeedSubscription): Promise<number> {
    return this.beginning(() => {
      const listeners = this.byChannel.get(subscription.channelName) ?? new Set();
      this.byChannel.set(subscription.channelName, listeners.add(subscription));
    });
  }

  /** Keeps reading the feed for removals, even without subscribers. @returns a function that ends this */
  async keepLooking(): Promise<() => void> {
    await this.beginning(() => (this.keepers += 1));
    return () => {
      this.keepers -= 1;
      if (this.isIdle) this.pause();
    };
  }

  remove(subscription: FeedSubscription): void {
    const listeners = this.byChannel.get(subscription.channelName);
    listeners?.delete(subscription);
    if (listeners?.size === 0) this.byChannel.delete(subscription.channelName);
    if (this.isIdle) this.pause();
  }

  subscriptions(): readonly FeedSubscription[] {
    return [...this.byChannel.values()].flatMap((listeners) => [...listeners]);
  }

  private get isIdle(): boolean {
    return this.byChannel.size === 0 && this.keepers === 0;
  }

  private beginning(register: () => void): Promise<number> {
    return this.exclusively(async () => {
      if (this.isIdle) await this.tail.begin();
      // Earlier events go to the earlier subscribers only.
      this.deliver(await this.tail.read());
      register();
      this.timer ??= setInterval(() => void this.look(), this.limits.feedPoll).unref();
      return this.tail.position;
    });
  }

  private async look(): Promise<void> {
    if (this.isLooking) return;
    this.isLooking = true;
    try {
      await this.exclusively(async () => this.deliver(await this.tail.read()));
      this.isFailing = false;
    } catch (error) {
      // No event is lost: the next poll continues where the last one ended.
      if (!this.isFailing) this.logger.warn(`the feed of the services cannot be read: ${String(error)}`);
      this.isFailing = true;
    } finally {
      this.isLooking = false;
    }
  }

  private deliver(entries: readonly FeedEntry[]): void {
    for (const entry of entries) {
      for (const channel of channelsOf(entry)) this.tell(channel, entry);
      if (entry.type === 'service.removed') for (const listener of this.onRemoved) listener(entry.serviceId);
    }
  }

  private tell(channel: string, entry: FeedEntry): void {
    let frame: Buffer | null = null;
    for (const subscription of this.byChannel.get(channel) ?? []) {
      if (subscription.mayLearnOf(entry)) subscription.tell((frame ??= eventFrame(channel, entry)));
    }
  }

  private pause(): void {
    clearInterval(this.timer ?? undefined);
    this.timer = null;
  }

  private exclusively<T>(work: () => Promise<T>): Promise<T> {
    const result = this.turn.then(work);
    this.turn = result.catch(() => undefined);
    return result;
  }
}

function channelsOf({ type, serviceId, deploymentId }: FeedEntry): readonly string[] {
  if (type.startsWith('service.')) return ['services', `service:${serviceId}`];
  if (type === 'backup.status') return [`service:${serviceId}`];
  return [...(type === 'deployment.log' ? [] : [`service:${serviceId}`]), `deployment:${deploymentId}`];
}
