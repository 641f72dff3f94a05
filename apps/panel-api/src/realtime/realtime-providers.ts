import type { Provider, Type } from '@nestjs/common';
import { ContainerLogs, ContainerRuntime, LogHub } from '#libs/services';
import { AnalysisFanOut } from './channels/analysis-fan-out.js';
import { CallerViews } from './channels/caller-view.js';
import { FeedFanOut } from './channels/feed-fan-out.js';
import { MetricsFanOut } from './channels/metrics-fan-out.js';
import { SubscriptionDesk } from './channels/subscription-desk.js';
import { SubscriptionReview } from './channels/subscription-review.js';
import { LivePageController } from './live/live-page.controller.js';
import { REALTIME_LIMITS, RealtimeLimits } from './realtime-limits.js';
import { Conversation } from './socket/conversation.js';
import { OpenSockets } from './socket/open-sockets.js';
import { RealtimeGateway } from './socket/realtime-gateway.js';
import { SocketAuthentication, WS_ORIGINS } from './upgrade/socket-authentication.js';
import { UpgradeController } from './upgrade/upgrade.controller.js';

export const REALTIME_CONTROLLERS: Type[] = [UpgradeController, LivePageController];

/** @param origins the origins whose pages may open a socket with a browser session */
export function realtimeProviders(origins: readonly string[]): Provider[] {
  return [
    { provide: RealtimeLimits, useValue: { ...REALTIME_LIMITS } },
    { provide: WS_ORIGINS, useValue: new Set(origins) },
    {
      provide: LogHub,
      inject: [ContainerLogs, ContainerRuntime],
      useFactory: (logs: ContainerLogs, runtime: ContainerRuntime) => new LogHub(logs, runtime),
    },
    ...[AnalysisFanOut, CallerViews, FeedFanOut, MetricsFanOut, SubscriptionDesk, SubscriptionReview],
    ...[Conversation, OpenSockets, RealtimeGateway, SocketAuthentication],
  ];
}
