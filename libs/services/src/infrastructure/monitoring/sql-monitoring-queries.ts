import { Injectable } from '@nestjs/common';
import { Clock } from '#kernel/time/clock';
import type { Uuid } from '#kernel/crypto/uuid';
import { HotReader } from '#platform/database/batching/hot-reader';
import type { NamedStatement } from '#platform/database/batching/named-statement';
import {
  DISKS_FRESH_MS,
  healthFreshMs,
  MonitoringSettings,
  samplesFreshMs,
} from '../../application/monitoring/monitoring-settings.js';
import {
  MonitoringQueries,
  type CurrentMetrics,
  type MetricsPoint,
  type MetricsRange,
  type MetricsSummary,
  type ServiceDiskUsage,
  type ServiceHealth,
  type ServiceMetrics,
} from '../../application/ports/monitoring/monitoring-queries.js';
import { stepsOf } from '../../domain/monitoring/metric-steps.js';
import { SPARK_MS } from '../../domain/monitoring/spark.js';
import type { OrganisationScope } from '../../domain/organisation-scope.js';
import { inScope, scopeIds } from '../sql/service-columns.js';
import { THE_ENGINE } from './sql-monitoring-store.js';

/** A sample in the future was taken before the clock was set back. $3: milliseconds. */
const fresh = (table: string) => `(${table}.stored_at is not null and abs(extract(epoch from
  clock_timestamp() - ${table}.stored_at)) * 1000 <= $3)`;
const ANSWERED = `coalesce((select c.answers from services.collectors c where c.engine = '${THE_ENGINE}'), false)`;
const one = (columns: string, table: string) => `
  select ${columns} from services.services s left join services.${table} t on t.service_id = s.id
   where s.id = $1 and not s.hidden and ${inScope('$2')}`;

interface SummaryRow {
  readonly id: Uuid;
  readonly available: boolean;
  /** Null without any sample, like everything below. */
  readonly cpuPct: number | null;
  readonly ramPct: number | null;
  readonly cpuSpark: readonly number[] | null;
  readonly ramSpark: readonly number[] | null;
  /** Only with an old sample. */
  readonly sparkAges: readonly number[] | null;
  readonly idleSeconds: number | null;
}

const SUMMARY: NamedStatement = {
  name: 'monitoring-summary',
  text: `
    select id, available, "cpuPct", "ramPct", "cpuSpark", "ramSpark", case when available then null else ages end as "sparkAges",
           case when available then null else extract(epoch from clock_timestamp() - stored_at)::float8 end
             as "idleSeconds"
      from (select s.id, t.cpu_pct as "cpuPct", t.ram_pct as "ramPct", t.cpu_spark as "cpuSpark", t.ram_spark as "ramSpark", t.spark_ages as ages,
                   t.stored_at, ${ANSWERED} and ${fresh('t')} as available
              from services.services s left join services.metrics_now t on t.service_id = s.id
             where not s.hidden and ${inScope('$1')} and ($2::uuid[] is null or s.id = any($2))
             offset 0) seen`,
};

interface NowRow {
  readonly available: boolean;
  readonly sampledAt: Date | null;
  readonly current: CurrentMetrics | null;
  readonly containers: ServiceMetrics['containers'] | null;
}

const NOW: NamedStatement = {
  name: 'monitoring-now',
  text: one(
    `${ANSWERED} and ${fresh('t')} as available, t.sampled_at as "sampledAt", t.current, t.containers`,
    'metrics_now',
  ),
};

/** $2: from, $3: to, $4: seconds of a step. */
const steps = (table: string, at: string, columns: string) => `
  select to_timestamp(floor(extract(epoch from ${at}) / $4) * $4) as t, ${columns}
    from services.${table} where service_id = $1 and ${at} >= $2 and ${at} <= $3 group by 1 order by 1`;
const rounded = (value: string, name: string) => `round((${value})::numeric, 1)::float8 as "${name}"`;
const whole = (value: string, name: string) => `round(${value}) as "${name}"`;

const SAMPLES: NamedStatement = {
  name: 'monitoring-samples',
  text: steps(
    'metrics_samples',
    'at',
    [
      ...[rounded('avg(cpu_pct)', 'cpuPct'), rounded('avg(ram_pct)', 'ramPct')],
      ...[whole('avg(rx_bps)', 'netRxBps'), whole('avg(tx_bps)', 'netTxBps')],
    ].join(', '),
  ),
};

const MINUTES: NamedStatement = {
  name: 'monitoring-minutes',
  text: steps(
    'metrics_minutes',
    'minute',
    [
      ...[rounded('sum(cpu_sum) / sum(samples)', 'cpuPct'), rounded('sum(ram_sum) / sum(samples)', 'ramPct')],
      ...[whole('sum(rx_sum) / sum(samples)', 'netRxBps'), whole('sum(tx_sum) / sum(samples)', 'netTxBps')],
    ].join(', '),
  ),
};

interface HealthRow {
  readonly status: ServiceHealth['status'] | null;
  readonly isFresh: boolean;
  readonly checkedAt: Date | null;
  readonly containers: readonly Stored<ServiceHealth['containers'][number]>[] | null;
  readonly attempts: number | null;
  readonly lastAt: Date | null;
  readonly nextAt: Date | null;
}

/** In the form that JSON has. */
type Stored<T> = { readonly [K in keyof T]: T[K] extends Date | null ? string | Extract<T[K], null> : T[K] };

const HEALTH: NamedStatement = {
  name: 'monitoring-health',
  text: one(
    `t.status, ${ANSWERED} and ${fresh('t')} as "isFresh", t.checked_at as "checkedAt", t.containers, t.attempts,
     t.last_attempt_at as "lastAt", t.next_attempt_at as "nextAt"`,
    'health',
  ),
};

interface DiskRow {
  readonly isFresh: boolean;
  readonly measuredAt: Date | null;
  readonly limitMb: number;
  readonly totalBytes: number | null;
  readonly volumes: ServiceDiskUsage['volumes'] | null;
  readonly containers: ServiceDiskUsage['containers'] | null;
  readonly images: ServiceDiskUsage['images'] | null;
}

const DISK: NamedStatement = {
  name: 'monitoring-disk',
  text: one(
    `${fresh('t')} as "isFresh", t.measured_at as "measuredAt", s.disk_mb::float8 as "limitMb",
     t.total_bytes::float8 as "totalBytes", t.volumes, t.containers, t.images`,
    'disk_usage',
  ),
};

const MEBIBYTE = 1024 * 1024;

/** Reads what the worker stored, by prepared statements. */
@Injectable()
export class SqlMonitoringQueries extends MonitoringQueries {
  constructor(
    private readonly reader: HotReader,
    private readonly clock: Clock,
    private readonly settings: MonitoringSettings,
  ) {
    super();
  }

  async summary(scope: OrganisationScope, ids: readonly Uuid[] | null): Promise<ReadonlyMap<Uuid, MetricsSummary>> {
    const values = [scopeIds(scope), ids, samplesFreshMs(this.settings)];
    const rows = await this.reader.list<SummaryRow>(SUMMARY, values);
    return new Map(rows.map((row) => [row.id, toSummary(row)]));
  }

  async metrics(scope: OrganisationScope, id: Uuid, range: MetricsRange): Promise<ServiceMetrics | null> {
    const [now] = await this.reader.rows<NowRow>(NOW, [id, scopeIds(scope), samplesFreshMs(this.settings)]);
    if (!now) return null;
    const { from, to, stepSeconds } = stepsOf(range, this.clock.now());
    const values = [id, from, to, stepSeconds];
    const series = await this.reader.list<MetricsPoint>(range === '15m' ? SAMPLES : MINUTES, values);
    const { available, sampledAt, current, containers } = now;
    return {
      serviceId: id,
      available,
      sampledAt,
      from,
      to,
      stepSeconds,
      series,
      current: available ? current : null,
      containers: available ? (containers ?? []) : [],
    };
  }

  async health(scope: OrganisationScope, id: Uuid): Promise<ServiceHealth | null> {
    const [row] = await this.reader.rows<HealthRow>(HEALTH, [id, scopeIds(scope), healthFreshMs(this.settings)]);
    if (!row) return null;
    const { status, isFresh, checkedAt, attempts, lastAt, nextAt } = row;
    return {
      serviceId: id,
      status: isFresh && status ? status : 'unknown',
      checkedAt,
      containers: (row.containers ?? []).map(({ startedAt, lastProbe, ...container }) => ({
        ...container,
        startedAt: startedAt === null ? null : new Date(startedAt),
        lastProbe: lastProbe && { ...lastProbe, at: new Date(lastProbe.at) },
      })),
      recovery: { enabled: this.settings.autoRecovery, attempts: attempts ?? 0, lastAt, nextAt },
    };
  }

  async diskUsage(scope: OrganisationScope, id: Uuid): Promise<ServiceDiskUsage | null> {
    const [row] = await this.reader.rows<DiskRow>(DISK, [id, scopeIds(scope), DISKS_FRESH_MS]);
    if (!row) return null;
    const { isFresh, measuredAt, limitMb, volumes, containers, images } = row;
    const limitBytes = limitMb * MEBIBYTE;
    const totalBytes = isFresh ? row.totalBytes : null;
    const usedPct = totalBytes === null ? null : Math.round((totalBytes / limitBytes) * 1000) / 10;
    return {
      serviceId: id,
      available: isFresh,
      measuredAt,
      limitBytes,
      totalBytes,
      usedPct,
      volumes: (isFresh && volumes) || [],
      containers: (isFresh && containers) || [],
      images: (isFresh && images) || [],
      // The engine does not tell how long its logs are, and backups are not known here.
      logsBytes: null,
      backupsBytes: null,
    };
  }
}

function toSummary(row: SummaryRow): MetricsSummary {
  const { available, cpuPct, ramPct, cpuSpark, ramSpark, sparkAges, idleSeconds } = row;
  if (available) return { cpuPct, ramPct, cpuSpark: cpuSpark ?? [], ramSpark: ramSpark ?? [], available };
  const isShown = (_: number, index: number) => (sparkAges![index]! + Math.max(0, idleSeconds!)) * 1000 < SPARK_MS;
  const [cpu, ram] = [cpuSpark ?? [], ramSpark ?? []].map((spark) => spark.filter(isShown));
  return { cpuPct: null, ramPct: null, cpuSpark: cpu!, ramSpark: ram!, available };
}
