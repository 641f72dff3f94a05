import { Injectable } from '@nestjs/common';
import { Clock } from '#kernel/time/clock';
import { NotFound } from '#kernel/errors';
import type { Uuid } from '#kernel/crypto/uuid';
import { PermissionMissing } from '#libs/panel-auth';
import { AnalysisEvents } from '#libs/analysis';
import { FeedReader, LogHub, WatchTargets, type FeedEntry, type FollowedLog } from '#libs/services';
import { CHANNEL_PERMISSION, eventTypesOf, parseChannel, permissionOf, type Channel } from '../protocol/channel.js';
import { CLOSE } from '../protocol/close-codes.js';
import type { ClientMessage } from '../protocol/client-message.js';
import { RealtimeLimits } from '../realtime-limits.js';
import type { Connection } from '../socket/connection.js';
import { AnalysisFanOut } from './analysis-fan-out.js';
import { CallerViews, type CallerView } from './caller-view.js';
import { FeedFanOut } from './feed-fan-out.js';
import { eventFrame, FeedSubscription, type FeedChannel } from './feed-subscription.js';
import { LogSubscription } from './log-subscription.js';

type Subscribe = Extract<ClientMessage, { type: 'subscribe' }>;

/** Opens and closes subscriptions, within what the caller may watch. */
@Injectable()
export class SubscriptionDesk {
  constructor(
    private readonly views: CallerViews,
    private readonly targets: WatchTargets,
    private readonly fanOut: FeedFanOut,
    private readonly reader: FeedReader,
    private readonly logs: LogHub,
    private readonly analyses: AnalysisFanOut,
    private readonly analysisEvents: AnalysisEvents,
    private readonly limits: RealtimeLimits,
    private readonly clock: Clock,
  ) {}

  /**
   * Subscribes and confirms. Subscribing to a channel again restarts the subscription.
   * @throws PermissionMissing; NotFound for an unknown channel or a target that the caller may not see;
   * EngineUnavailable
   */
  async open(connection: Connection, asked: Subscribe): Promise<void> {
    const { caller } = connection;
    const channel = parseChannel(asked.channel);
    if (!caller || !channel) throw new NotFound();
    const view = await this.views.of(caller);
    const serviceId = await this.authorise(view, channel);
    this.close(connection, channel.name);
    if (connection.subscriptions.size >= this.limits.subscriptions) {
      connection.close(CLOSE.tooMuch, 'too many subscriptions');
      return;
    }
    if (channel.kind === 'logs') await this.openLog(connection, channel, serviceId!, asked);
    else if (channel.kind === 'analysis') this.openAnalysis(connection, channel, channel.id, asked);
    else await this.openFeed(connection, channel, serviceId, view, asked);
  }

  /** @returns false if there was no such subscription */
  close(connection: Connection, name: string): boolean {
    const subscription = connection.subscriptions.get(name);
    if (!subscription) return false;
    connection.subscriptions.delete(name);
    subscription.end();
    return true;
  }

  /**
   * The service of the channel. Null for channels without one.
   * @throws PermissionMissing, NotFound
   */
  async authorise(view: CallerView, channel: Channel): Promise<Uuid | null> {
    if (!view.permissions.has(CHANNEL_PERMISSION[channel.kind])) throw new PermissionMissing();
    if (channel.kind === 'services') return null;
    if (channel.kind === 'analysis') {
      if ((await this.analysisEvents.last(view.scope, channel.id)) === null) throw new NotFound();
      return null;
    }
    if (channel.kind === 'deployment') {
      const serviceId = (await this.targets.deployments(view.scope, [channel.id])).get(channel.id);
      if (!serviceId) throw new NotFound();
      return serviceId;
    }
    if (!(await this.targets.services(view.scope, [channel.id])).has(channel.id)) throw new NotFound();
    return channel.id;
  }

  private async openLog(connection: Connection, channel: Channel, serviceId: Uuid, asked: Subscribe): Promise<void> {
    // The subscription ends when the service is removed.
    const stopLooking = await this.fanOut.keepLooking();
    const subscription = new LogSubscription(connection, channel, serviceId, stopLooking);
    let followed: FollowedLog;
    try {
      followed = await this.logs.follow(serviceId, asked, (entry) => subscription.line(entry));
    } catch (error) {
      subscription.end();
      throw error;
    }
    if (!connection.isOpen) {
      followed.end();
      return subscription.end();
    }
    connection.subscriptions.set(channel.name, subscription);
    const resumed = asked.since === null ? null : followed.gap === null;
    this.confirm(connection, channel, asked, followed.seq, resumed);
    subscription.begin(followed);
  }

  /** An analysis has few events, so without `since` all of them are sent. */
  private openAnalysis(connection: Connection, channel: Channel, analysisId: Uuid, asked: Subscribe): void {
    const told = asked.since ?? 0;
    const subscription = this.analyses.add(connection, analysisId, channel.name, told);
    connection.subscriptions.set(channel.name, subscription);
    this.confirm(connection, channel, asked, told, asked.since === null ? null : true);
  }

  private async openFeed(
    connection: Connection,
    channel: FeedChannel,
    serviceId: Uuid | null,
    view: CallerView,
    asked: Subscribe,
  ): Promise<void> {
    const subscription = new FeedSubscription(connection, channel, serviceId, view, (ended) =>
      this.fanOut.remove(ended),
    );
    const position = await this.fanOut.add(subscription);
    let missed: readonly FeedEntry[] | null = [];
    try {
      if (asked.since !== null) missed = await this.missed(subscription, asked.since, position);
    } catch (error) {
      subscription.end();
      throw error;
    }
    if (!connection.isOpen) return subscription.end();
    connection.subscriptions.set(channel.name, subscription);
    const resumed = asked.since === null ? null : missed !== null;
    // Confirm the old position: a client that disconnects before the missed events are sent can resume from there.
    this.confirm(connection, channel, asked, resumed ? asked.since : position, resumed);
    for (const entry of missed ?? []) connection.sendEncoded(eventFrame(channel.name, entry));
    subscription.release();
  }

  private missed({ channel, serviceId, view }: FeedSubscription, since: number, upTo: number) {
    const types = eventTypesOf(channel.kind).filter((type) => view.permissions.has(permissionOf(type)));
    const deploymentId = channel.kind === 'deployment' ? channel.id : null;
    return this.reader.missed({ scope: view.scope, serviceId, deploymentId, types }, since, upTo, this.limits.ring);
  }

  private confirm(
    connection: Connection,
    { name }: Channel,
    asked: Subscribe,
    position: number | null,
    resumed: boolean | null,
  ): void {
    const seq = position ?? undefined;
    connection.send({ type: 'subscribed', id: asked.id, channel: name, seq, at: this.clock.now(), data: { resumed } });
  }
}
