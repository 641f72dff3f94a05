import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { AnalysisEvents, type AnalysisEvent } from '#libs/analysis';
import { encode } from '../protocol/server-message.js';
import { RealtimeLimits } from '../realtime-limits.js';
import type { Connection, Subscription } from '../socket/connection.js';

const AT_ONCE = 500;

/** A subscription to one analysis: from its first event, or from the event after the last one received. */
export class AnalysisSubscription implements Subscription {
  constructor(
    readonly connection: Connection,
    readonly analysisId: Uuid,
    readonly channelName: string,
    /** The number of the last event that was sent. */
    public told: number,
    private readonly onEnd: (subscription: AnalysisSubscription) => void,
  ) {}

  tell({ seq, type, at, data }: AnalysisEvent): void {
    if (seq <= this.told) return;
    this.told = seq;
    this.connection.sendEncoded(Buffer.from(encode({ type, channel: this.channelName, seq, at, data })));
  }

  end(): void {
    this.onEnd(this);
  }
}

/** Reads the events of analyses while this process has subscribers, and sends them in order. */
@Injectable()
export class AnalysisFanOut implements OnModuleDestroy {
  private readonly logger = new Logger(AnalysisFanOut.name);
  private readonly listeners = new Set<AnalysisSubscription>();
  private timer: NodeJS.Timeout | null = null;
  private isLooking = false;
  private isFailing = false;

  constructor(
    private readonly events: AnalysisEvents,
    private readonly limits: RealtimeLimits,
  ) {}

  onModuleDestroy(): void {
    this.listeners.clear();
    this.pause();
  }

  /** Starts with the events after `told`. */
  add(connection: Connection, analysisId: Uuid, channelName: string, told: number): AnalysisSubscription {
    const subscription = new AnalysisSubscription(connection, analysisId, channelName, told, (ended) => {
      this.listeners.delete(ended);
      if (this.listeners.size === 0) this.pause();
    });
    this.listeners.add(subscription);
    this.timer ??= setInterval(() => void this.look(), this.limits.feedPoll).unref();
    return subscription;
  }

  private async look(): Promise<void> {
    if (this.isLooking) return;
    this.isLooking = true;
    try {
      const known = new Map<Uuid, number>();
      for (const { analysisId, told } of this.listeners) {
        known.set(analysisId, Math.min(known.get(analysisId) ?? told, told));
      }
      for (const event of await this.events.after(known, AT_ONCE)) {
        for (const listener of this.listeners) if (listener.analysisId === event.analysisId) listener.tell(event);
      }
      this.isFailing = false;
    } catch (error) {
      // No event is lost: the next poll continues where the last one ended.
      if (!this.isFailing) this.logger.warn(`the events of analyses cannot be read: ${String(error)}`);
      this.isFailing = true;
    } finally {
      this.isLooking = false;
    }
  }

  private pause(): void {
    clearInterval(this.timer ?? undefined);
    this.timer = null;
  }
}
