import { Injectable } from '@nestjs/common';
import { Clock } from '#kernel/time/clock';
import { DomainError } from '#kernel/errors';
import type { Uuid } from '#kernel/crypto/uuid';
import type { Caller } from '#libs/panel-auth';
import { parseChannel } from '../protocol/channel.js';
import type { Connection } from '../socket/connection.js';
import { CallerViews } from './caller-view.js';
import { FeedSubscription } from './feed-subscription.js';
import { LogSubscription } from './log-subscription.js';
import { SubscriptionDesk } from './subscription-desk.js';

/** Ends subscriptions whose service was removed, or which the caller may no longer watch. */
@Injectable()
export class SubscriptionReview {
  constructor(
    private readonly desk: SubscriptionDesk,
    private readonly views: CallerViews,
    private readonly clock: Clock,
  ) {}

  /** Checks each subscription again. @throws Error if that is not possible at the moment */
  async review(connection: Connection, caller: Caller): Promise<void> {
    const view = await this.views.of(caller);
    for (const [name, subscription] of connection.subscriptions) {
      try {
        await this.desk.authorise(view, parseChannel(name)!);
        if (subscription instanceof FeedSubscription) subscription.view = view;
      } catch (error) {
        if (!(error instanceof DomainError) || error.kind === 'unavailable') throw error;
        this.end(connection, name, error.kind === 'forbidden' ? 'forbidden' : 'not_found');
      }
    }
  }

  serviceRemoved(connection: Connection, serviceId: Uuid): void {
    for (const [name, subscription] of connection.subscriptions) {
      const isOfIt = subscription instanceof FeedSubscription || subscription instanceof LogSubscription;
      if (isOfIt && subscription.serviceId === serviceId) this.end(connection, name, 'removed');
    }
  }

  private end(connection: Connection, channel: string, reason: string): void {
    if (!this.desk.close(connection, channel)) return;
    connection.send({ type: 'unsubscribed', channel, at: this.clock.now(), data: { reason } });
  }
}
