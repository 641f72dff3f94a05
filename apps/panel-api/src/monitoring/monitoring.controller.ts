import { Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Uuid } from '#kernel/crypto/uuid';
import type { Caller } from '#libs/panel-auth';
import { CurrentCaller } from '../http/caller.decorator.js';
import { PathId } from '../http/path-values.js';
import { CallerScope } from '../services/caller-scope.js';
import { PANEL } from '../services/route-area.js';
import type { DiskUsageDto } from './disk-usage.dto.js';
import type { ServiceHealthDto } from './health.dto.js';
import type { MetricsDto, MetricsSummariesDto } from './metrics.dto.js';
import { MonitoringRequests } from './monitoring-requests.js';
import { GetMetricsSummary, GetServiceDiskUsage, GetServiceHealth, GetServiceMetrics } from './monitoring-routes.js';

@ApiTags('Monitoring')
@Controller('api/v1/services')
export class MonitoringController {
  constructor(
    private readonly requests: MonitoringRequests,
    private readonly scope: CallerScope,
  ) {}

  @GetMetricsSummary(PANEL)
  async summary(
    @CurrentCaller() caller: Caller,
    @Query() query: Record<string, unknown>,
  ): Promise<MetricsSummariesDto> {
    return this.requests.summary(await this.scope.of(caller), query);
  }

  @GetServiceMetrics(PANEL)
  async metrics(
    @CurrentCaller() caller: Caller,
    @Param('id', PathId) id: Uuid,
    @Query() query: Record<string, unknown>,
  ): Promise<MetricsDto> {
    return this.requests.metrics(await this.scope.of(caller), id, query);
  }

  @GetServiceHealth(PANEL)
  async health(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<ServiceHealthDto> {
    return this.requests.health(await this.scope.of(caller), id);
  }

  @GetServiceDiskUsage(PANEL)
  async diskUsage(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<DiskUsageDto> {
    return this.requests.diskUsage(await this.scope.of(caller), id);
  }
}
