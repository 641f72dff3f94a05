import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import { NotFound } from '#kernel/errors';
import type { Uuid } from '#kernel/uuid';
import type { Caller } from '#libs/panel-auth';
import { METRICS_RANGES, MonitoringQueries } from '#libs/services';
import { CurrentCaller } from '../http/caller.decorator.js';
import { PanelRoute } from '../http/panel-route.decorator.js';
import { PathId } from '../http/path-values.js';
import { CallerScope } from '../services/caller-scope.js';
import { ServiceIdParam } from '../services/service-id.decorator.js';
import { DiskUsageDto } from './disk-usage.dto.js';
import { ServiceHealthDto } from './health.dto.js';
import { DEFAULT_RANGE, idsOf, MOST_IDS, rangeOf } from './metrics-query.js';
import { MetricsDto, MetricsSummariesDto } from './metrics.dto.js';

/** What was last seen of services. The engine is not asked. */
@ApiTags('Monitoring')
@Controller('api/v1/services')
export class MonitoringController {
  constructor(
    private readonly queries: MonitoringQueries,
    private readonly scope: CallerScope,
  ) {}

  @Get('metrics/summary')
  @PanelRoute({ reach: 'panel', permission: 'services.metrics:read', errors: [422] })
  @ApiOperation({
    operationId: 'getMetricsSummary',
    summary: 'All services in one line each',
    description: 'Services without any sample are among them, with `available` false and empty sparklines.',
  })
  @ApiQuery({
    ...{ name: 'ids', required: false, schema: { type: 'string' } },
    description: `UUIDs of at most ${MOST_IDS} services, separated by commas; without it all services.`,
    example: '6f6c1d7e-52a5-4a53-9c39-2c6a5c1f0a11',
  })
  @ApiOkResponse({ type: MetricsSummariesDto, description: 'What they use now and used in the last half hour.' })
  async summary(
    @CurrentCaller() caller: Caller,
    @Query() query: Record<string, unknown>,
  ): Promise<MetricsSummariesDto> {
    const ids = idsOf(query['ids']);
    return MetricsSummariesDto.of(await this.queries.summary(await this.scope.of(caller), ids));
  }

  @Get(':id/metrics')
  @PanelRoute({ reach: 'panel', permission: 'services.metrics:read', errors: [422] })
  @ApiOperation({
    operationId: 'getServiceMetrics',
    summary: 'What a service uses',
    description: 'Now, and over a range: steps of 10 s for 15m, 60 s for 1h, 5 min for 6h, 15 min for 24h.',
  })
  @ServiceIdParam()
  @ApiQuery({ name: 'range', required: false, enum: METRICS_RANGES, schema: { default: DEFAULT_RANGE } })
  @ApiOkResponse({ type: MetricsDto, description: 'What the worker measured.' })
  async metrics(
    @CurrentCaller() caller: Caller,
    @Param('id', PathId) id: Uuid,
    @Query() query: Record<string, unknown>,
  ): Promise<MetricsDto> {
    const range = rangeOf(query['range']);
    return MetricsDto.of(found(await this.queries.metrics(await this.scope.of(caller), id, range)));
  }

  @Get(':id/health')
  @PanelRoute({ reach: 'panel', permission: 'services.metrics:read' })
  @ApiOperation({
    operationId: 'getServiceHealth',
    summary: 'How a service is',
    description: 'Each container as the engine tells of it, and what the panel did about it.',
  })
  @ServiceIdParam()
  @ApiOkResponse({ type: ServiceHealthDto, description: 'What the worker saw.' })
  async health(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<ServiceHealthDto> {
    return ServiceHealthDto.of(found(await this.queries.health(await this.scope.of(caller), id)));
  }

  @Get(':id/disk-usage')
  @PanelRoute({ reach: 'panel', permission: 'services.metrics:read' })
  @ApiOperation({
    operationId: 'getServiceDiskUsage',
    summary: 'How much disk a service uses',
    description: 'Measured by the worker every five minutes.',
  })
  @ServiceIdParam()
  @ApiOkResponse({ type: DiskUsageDto, description: 'What the worker measured.' })
  async diskUsage(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<DiskUsageDto> {
    return DiskUsageDto.of(found(await this.queries.diskUsage(await this.scope.of(caller), id)));
  }
}

function found<T>(view: T | null): T {
  if (view === null) throw new NotFound();
  return view;
}
