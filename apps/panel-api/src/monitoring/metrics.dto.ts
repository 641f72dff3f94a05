import { ApiExtraModels, ApiProperty, getSchemaPath, type ApiPropertyOptions } from '@nestjs/swagger';
import type { Uuid } from '#kernel/crypto/uuid';
import type { CurrentMetrics, MetricsPoint, MetricsSummary, ServiceMetrics } from '#libs/services';

const ID = { type: String, format: 'uuid', example: '6f6c1d7e-52a5-4a53-9c39-2c6a5c1f0a11' };
const TIME = { type: String, format: 'date-time', example: '2026-05-01T08:30:00.000Z' };
const PERCENT = { type: 'number', minimum: 0, maximum: 100, example: 12.5 } as const;
const BYTES = { type: 'integer', minimum: 0, example: 104_857_600 } as const;
const PER_SECOND = { type: 'integer', minimum: 0, example: 2_048 } as const;
const SPARK = {
  type: 'array',
  items: { type: 'number', minimum: 0, maximum: 100 },
  maxItems: 30,
  description: 'Averages of up to 30 minutes, oldest first. Minutes without a sample are omitted.',
  example: [10, 12.5, 11.9],
} as const satisfies ApiPropertyOptions;

export class MetricsSummaryDto {
  @ApiProperty({ ...PERCENT, nullable: true, description: 'Percent of the cores that the service may use.' })
  cpuPct: number | null;

  @ApiProperty({ ...PERCENT, nullable: true, description: 'Percent of its memory limit, without page cache.' })
  ramPct: number | null;

  @ApiProperty(SPARK)
  cpuSpark: readonly number[];

  @ApiProperty(SPARK)
  ramSpark: readonly number[];

  @ApiProperty({
    description: 'False when there is no recent sample. This says nothing about the service itself.',
    example: true,
  })
  available: boolean;
}

@ApiExtraModels(MetricsSummaryDto)
export class MetricsSummariesDto {
  @ApiProperty({
    type: 'object',
    additionalProperties: { $ref: getSchemaPath(MetricsSummaryDto) },
    description: 'Keyed by service id. Services that do not exist are omitted.',
    example: {
      '6f6c1d7e-52a5-4a53-9c39-2c6a5c1f0a11': {
        cpuPct: 12.5,
        ramPct: 40.1,
        cpuSpark: [10, 12.5],
        ramSpark: [40, 40.1],
        available: true,
      },
    },
  })
  summaries: Readonly<Record<string, MetricsSummaryDto>>;

  static of(summaries: ReadonlyMap<Uuid, MetricsSummary>): MetricsSummariesDto {
    return { summaries: Object.fromEntries(summaries) };
  }
}

const CURRENT = {
  cpuPct: { ...PERCENT, description: 'Percent of the cores that the service may use.' },
  ramPct: { ...PERCENT, description: 'Percent of its memory.' },
  memoryUsedBytes: { ...BYTES, description: 'Without page cache, as `docker stats` shows it.' },
  memoryLimitBytes: { ...BYTES, description: 'Limit for all its containers together.', example: 268_435_456 },
  netRxBytes: { ...BYTES, description: 'Counted since the containers started, like the next three fields.' },
  netTxBytes: BYTES,
  blockReadBytes: BYTES,
  blockWriteBytes: BYTES,
  pids: { type: 'integer', minimum: 0, description: 'Processes and threads.', example: 3 },
} as const satisfies Record<keyof CurrentMetrics, object>;

class MetricsPointDto {
  @ApiProperty({ ...TIME, description: 'Start of the step.' })
  t: Date;

  @ApiProperty(PERCENT)
  cpuPct: number;

  @ApiProperty(PERCENT)
  ramPct: number;

  @ApiProperty({ ...PER_SECOND, description: 'Bytes per second.' })
  netRxBps: number;

  @ApiProperty({ ...PER_SECOND, description: 'Bytes per second.' })
  netTxBps: number;

  static of({ t, cpuPct, ramPct, netRxBps, netTxBps }: MetricsPoint): MetricsPointDto {
    return { t, cpuPct, ramPct, netRxBps, netTxBps };
  }
}

class ContainerMetricsDto {
  @ApiProperty({ example: '4f1c0f8b2a7d' })
  id: string;

  @ApiProperty({ description: 'Name in the compose file.', example: 'web' })
  name: string;

  @ApiProperty({ ...PERCENT, description: 'Percent of the cores of the service.' })
  cpuPct: number;

  @ApiProperty(BYTES)
  memoryUsedBytes: number;
}

export class MetricsDto {
  @ApiProperty(ID)
  serviceId: Uuid;

  @ApiProperty({
    description: 'False when there is no recent sample. This says nothing about the service itself.',
    example: true,
  })
  available: boolean;

  @ApiProperty({ ...TIME, nullable: true, description: 'Time of the last sample; null before the first.' })
  sampledAt: Date | null;

  @ApiProperty(TIME)
  from: Date;

  @ApiProperty(TIME)
  to: Date;

  @ApiProperty({ type: 'integer', enum: [10, 60, 300, 900], example: 60 })
  stepSeconds: number;

  // Written out: a reference cannot be null in OpenAPI 3.0.
  @ApiProperty({
    type: 'object',
    nullable: true,
    properties: CURRENT,
    required: Object.keys(CURRENT),
    selfRequired: true,
    description: 'Null without a recent sample.',
  })
  current: CurrentMetrics | null;

  @ApiProperty({ type: [MetricsPointDto], description: 'Oldest first. Steps without a sample are omitted.' })
  series: readonly MetricsPointDto[];

  @ApiProperty({ type: [ContainerMetricsDto], description: 'Running containers.' })
  containers: readonly ContainerMetricsDto[];

  static of(view: ServiceMetrics): MetricsDto {
    return { ...view, series: view.series.map((point) => MetricsPointDto.of(point)) };
  }
}
