import { Inject, Injectable, Logger, Optional, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Clock } from '#kernel/time/clock';
import type { Uuid } from '#kernel/crypto/uuid';
import { MonitoringQueries, OrganisationScope, type MetricsSummary } from '#libs/services';
import { encode } from '../protocol/server-message.js';
import { RealtimeLimits } from '../realtime-limits.js';
import { FeedFanOut } from './feed-fan-out.js';
import type { FeedSubscription } from './feed-subscription.js';

type Summaries = ReadonlyMap<Uuid, MetricsSummary>;

/** Sends the metrics of services to their subscribers every ten seconds, with one query per scope. */
@Injectable()
export class MetricsFanOut implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(MetricsFanOut.name);
  private timer: NodeJS.Timeout | undefined;
  private isAsking = false;

  constructor(
    private readonly fanOut: FeedFanOut,
    private readonly limits: RealtimeLimits,
    private readonly clock: Clock,
    @Optional() @Inject(MonitoringQueries) private readonly monitoring: MonitoringQueries | null,
  ) {}

  onModuleInit(): void {
    if (this.monitoring) this.timer = setInterval(() => void this.tell(this.monitoring!), this.limits.metrics).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  private async tell(monitoring: MonitoringQueries): Promise<void> {
    if (this.isAsking) return;
    this.isAsking = true;
    try {
      const listeners = this.fanOut.subscriptions().filter(({ view }) => view.permissions.has('services.metrics:read'));
      await this.tellOfOne(
        monitoring,
        listeners.filter(({ channel }) => channel.kind === 'service'),
      );
      await this.tellOfAll(
        monitoring,
        listeners.filter(({ channel }) => channel.kind === 'services'),
      );
    } catch (error) {
      this.logger.warn(`metrics cannot be read: ${String(error)}`);
    } finally {
      this.isAsking = false;
    }
  }

  private async tellOfOne(monitoring: MonitoringQueries, listeners: readonly FeedSubscription[]): Promise<void> {
    if (listeners.length === 0) return;
    const ids = new Set(listeners.map(({ serviceId }) => serviceId!));
    const summaries = await monitoring.summary(OrganisationScope.all, [...ids]);
    for (const listener of listeners) this.send(listener, summaries, listener.serviceId);
  }

  /** Groups the subscribers by scope: many sockets share few scopes. */
  private async tellOfAll(monitoring: MonitoringQueries, listeners: readonly FeedSubscription[]): Promise<void> {
    const byScope = new Map<string, FeedSubscription[]>();
    for (const listener of listeners) {
      const key = listener.view.scope.organisationIds?.join() ?? 'all';
      byScope.set(key, [...(byScope.get(key) ?? []), listener]);
    }
    for (const alike of byScope.values()) {
      const summaries = await monitoring.summary(alike[0]!.view.scope, null);
      for (const listener of alike) this.send(listener, summaries, null);
    }
  }

  private send({ connection, channelName }: FeedSubscription, summaries: Summaries, only: Uuid | null): void {
    const at = this.clock.now();
    for (const [serviceId, { cpuPct, ramPct, available }] of summaries) {
      if (only !== null && serviceId !== only) continue;
      const data = { serviceId, cpuPct, ramPct, available };
      connection.sendEncoded(Buffer.from(encode({ type: 'service.metrics', channel: channelName, at, data })));
    }
  }
}
