import type { Uuid } from '#kernel/crypto/uuid';
import type { OrganisationScope } from '../../../domain/organisation-scope.js';
import type { ContainerHealth, ContainerLifecycle } from '../engine/container-state.js';

/** A short summary of a service: its use now and in the last half hour. */
export interface MetricsSummary {
  /** Percentage of the service's core limit, from 0 to 100. Null without a recent sample. */
  readonly cpuPct: number | null;
  /** Percentage of the service's memory limit, without page cache. Null without a recent sample. */
  readonly ramPct: number | null;
  /** At most 30 points of 60 s, oldest first. */
  readonly cpuSpark: readonly number[];
  readonly ramSpark: readonly number[];
  /** False if there is no recent sample. It says nothing about the state of the service. */
  readonly available: boolean;
}

export const METRICS_RANGES = ['15m', '1h', '6h', '24h'] as const;
export type MetricsRange = (typeof METRICS_RANGES)[number];

export interface CurrentMetrics {
  readonly cpuPct: number;
  readonly ramPct: number;
  readonly memoryUsedBytes: number;
  readonly memoryLimitBytes: number;
  readonly netRxBytes: number;
  readonly netTxBytes: number;
  readonly blockReadBytes: number;
  readonly blockWriteBytes: number;
  readonly pids: number;
}

export interface MetricsPoint {
  /** Start of the step. */
  readonly t: Date;
  readonly cpuPct: number;
  readonly ramPct: number;
  readonly netRxBps: number;
  readonly netTxBps: number;
}

export interface ServiceMetrics {
  readonly serviceId: Uuid;
  readonly available: boolean;
  readonly sampledAt: Date | null;
  readonly from: Date;
  readonly to: Date;
  readonly stepSeconds: number;
  readonly current: CurrentMetrics | null;
  /** Oldest first. Steps without a sample are omitted. */
  readonly series: readonly MetricsPoint[];
  readonly containers: readonly {
    readonly id: string;
    readonly name: string;
    readonly cpuPct: number;
    readonly memoryUsedBytes: number;
  }[];
}

export type GroupHealth = 'healthy' | 'unhealthy' | 'starting' | 'none' | 'unknown';

export interface ServiceHealth {
  readonly serviceId: Uuid;
  /** The health of the worst member. A completed one-shot is healthy. `unknown` without a recent sample. */
  readonly status: GroupHealth;
  readonly checkedAt: Date | null;
  readonly containers: readonly {
    readonly id: string;
    readonly name: string;
    readonly state: ContainerLifecycle;
    readonly health: ContainerHealth;
    readonly failingStreak: number;
    readonly restartCount: number;
    readonly exitCode: number | null;
    readonly oomKilled: boolean;
    readonly startedAt: Date | null;
    readonly lastProbe: { readonly at: Date; readonly exitCode: number; readonly output: string } | null;
  }[];
  readonly recovery: {
    readonly enabled: boolean;
    readonly attempts: number;
    readonly lastAt: Date | null;
    readonly nextAt: Date | null;
  };
}

export interface ServiceDiskUsage {
  readonly serviceId: Uuid;
  /** False if it was not measured yet or the measurement is outdated. */
  readonly available: boolean;
  readonly measuredAt: Date | null;
  readonly limitBytes: number;
  readonly totalBytes: number | null;
  readonly usedPct: number | null;
  readonly volumes: readonly { readonly name: string; readonly bytes: number }[];
  readonly containers: readonly { readonly id: string; readonly writableBytes: number }[];
  readonly images: readonly { readonly ref: string; readonly bytes: number; readonly shared: boolean }[];
  readonly logsBytes: number | null;
  readonly backupsBytes: number | null;
}

/** Reads stored samples, without calls to the engine. The panel's own services are omitted. */
export abstract class MonitoringQueries {
  /** @param ids null for all services of the scope; services that do not exist in the scope are omitted */
  abstract summary(scope: OrganisationScope, ids: readonly Uuid[] | null): Promise<ReadonlyMap<Uuid, MetricsSummary>>;
  /** Null for a service that does not exist in the scope. */
  abstract metrics(scope: OrganisationScope, id: Uuid, range: MetricsRange): Promise<ServiceMetrics | null>;
  abstract health(scope: OrganisationScope, id: Uuid): Promise<ServiceHealth | null>;
  abstract diskUsage(scope: OrganisationScope, id: Uuid): Promise<ServiceDiskUsage | null>;
}
