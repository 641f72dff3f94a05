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
  description: 'Averages of up to 30 minutes, oldest first; minutes without a sample are left out.',
  example: [10, 12.5, 11.9],
} as const satisfies ApiPropertyOptions;

export class MetricsSummaryDto {
  @ApiProperty({ ...PERCENT, nullable: true, description: 'Of the cores that the service may use.' })
  cpuPct: number | null;

  @ApiProperty({ ...PERCENT, nullable: true, description: 'Of its memory, without page cache.' })
  ramPct: number | null;

  @ApiProperty(SPARK)
  cpuSpark: readonly number[];

  @ApiProperty(SPARK)
  ramSpark: readonly number[];

  @ApiProperty({ description: 'False: there is no fresh sample. It says nothing about the service.', example: true })
  available: boolean;
}

@ApiExtraModels(MetricsSummaryDto)
export class MetricsSummariesDto {
  @ApiProperty({
    type: 'object',
    additionalProperties: { $ref: getSchemaPath(MetricsSummaryDto) },
    description: 'By service id. Services that do not exist are left out.',
    example: {
      '6f6c1d7e-52a5-4a53-9c39-2c6a5c1f0a11': {
        ...{ cpuPct: 12.5, ramPct: 40.1, cpuSpark: [10, 12.5], ramSpark: [40, 40.1], available: true },
      },
    },
  })
  summaries: Readonly<Record<string, MetricsSummaryDto>>;

  static of(summaries: ReadonlyMap<Uuid, MetricsSummary>): MetricsSummariesDto {
    return { summaries: Object.fromEntries(summaries) };
  }
}

const CURRENT = {
  cpuPct: { ...PERCENT, description: 'Of the cores that the service may use.' },
  ramPct: { ...PERCENT, description: 'Of its memory.' },
  memoryUsedBytes: { ...BYTES, description: 'Without page cache, as `docker stats` shows it.' },
  memoryLimitBytes: { ...BYTES, description: 'What all its containers may use together.', example: 268_435_456 },
  netRxBytes: { ...BYTES, description: 'Since the start of its containers, like the three below.' },
  netTxBytes: BYTES,
  blockReadBytes: BYTES,
  blockWriteBytes: BYTES,
  pids: { type: 'integer', minimum: 0, description: 'Processes and threads.', example: 3 },
} as const satisfies Record<keyof CurrentMetrics, object>;

class MetricsPointDto {
  @ApiProperty({ ...TIME, description: 'Beginning of the step.' })
  t: Date;

  @ApiProperty(PERCENT)
  cpuPct: number;

  @ApiProperty(PERCENT)
  ramPct: number;

  @ApiProperty({ ...PER_SECOND, description: 'Bytes a second.' })
  netRxBps: number;

  @ApiProperty({ ...PER_SECOND, description: 'Bytes a second.' })
  netTxBps: number;

  static of({ t, cpuPct, ramPct, netRxBps, netTxBps }: MetricsPoint): MetricsPointDto {
    return { t, cpuPct, ramPct, netRxBps, netTxBps };
  }
}

class ContainerMetricsDto {
  @ApiProperty({ example: '4f1c0f8b2a7d' })
  id: string;

  @ApiProperty({ description: 'In the compose file.', example: 'web' })
  name: string;

  @ApiProperty({ ...PERCENT, description: 'Of the cores of the whole service.' })
  cpuPct: number;

  @ApiProperty(BYTES)
  memoryUsedBytes: number;
}

export class MetricsDto {
  @ApiProperty(ID)
  serviceId: Uuid;

  @ApiProperty({ description: 'False: there is no fresh sample. It says nothing about the service.', example: true })
  available: boolean;

  @ApiProperty({ ...TIME, nullable: true, description: 'Of the last sample; null before the first.' })
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
    description: 'Null without a fresh sample.',
  })
  current: CurrentMetrics | null;

  @ApiProperty({ type: [MetricsPointDto], description: 'Oldest first; steps without a sample are left out.' })
  series: readonly MetricsPointDto[];

  @ApiProperty({ type: [ContainerMetricsDto], description: 'Those that run.' })
  containers: readonly ContainerMetricsDto[];

  static of(view: ServiceMetrics): MetricsDto {
    return { ...view, series: view.series.map((point) => MetricsPointDto.of(point)) };
  }
}
