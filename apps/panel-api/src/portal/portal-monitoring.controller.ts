import { Param, Query } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import type { Caller } from '#libs/panel-auth';
import { CurrentCaller } from '../http/caller.decorator.js';
import { PathId } from '../http/path-values.js';
import { CallerScope } from '../services/caller-scope.js';
import { PORTAL } from '../services/route-area.js';
import type { DiskUsageDto } from '../monitoring/disk-usage.dto.js';
import type { ServiceHealthDto } from '../monitoring/health.dto.js';
import type { MetricsDto, MetricsSummariesDto } from '../monitoring/metrics.dto.js';
import { MonitoringRequests } from '../monitoring/monitoring-requests.js';
import {
  GetMetricsSummary,
  GetServiceDiskUsage,
  GetServiceHealth,
  GetServiceMetrics,
} from '../monitoring/monitoring-routes.js';
import { PortalController } from './portal-controller.decorator.js';

@PortalController('services')
export class PortalMonitoringController {
  constructor(
    private readonly requests: MonitoringRequests,
    private readonly scope: CallerScope,
  ) {}

  @GetMetricsSummary(PORTAL)
  async summary(
    @CurrentCaller() caller: Caller,
    @Query() query: Record<string, unknown>,
  ): Promise<MetricsSummariesDto> {
    return this.requests.summary(await this.scope.ofHome(caller), query);
  }

  @GetServiceMetrics(PORTAL)
  async metrics(
    @CurrentCaller() caller: Caller,
    @Param('id', PathId) id: Uuid,
    @Query() query: Record<string, unknown>,
  ): Promise<MetricsDto> {
    return this.requests.metrics(await this.scope.ofHome(caller), id, query);
  }

  @GetServiceHealth(PORTAL)
  async health(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<ServiceHealthDto> {
    return this.requests.health(await this.scope.ofHome(caller), id);
  }

  @GetServiceDiskUsage(PORTAL)
  async diskUsage(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<DiskUsageDto> {
    return this.requests.diskUsage(await this.scope.ofHome(caller), id);
  }
}
