import { applyDecorators, Get } from '@nestjs/common';
import { ApiOkResponse, ApiQuery } from '@nestjs/swagger';
import { METRICS_RANGES } from '#libs/services';
import type { RouteArea } from '../services/route-area.js';
import { ServiceIdParam } from '../services/service-id.decorator.js';
import { InArea, type RouteText } from '../services/service-routes.js';
import { DiskUsageDto } from './disk-usage.dto.js';
import { ServiceHealthDto } from './health.dto.js';
import { DEFAULT_RANGE, MAX_IDS } from './metrics-query.js';
import { MetricsDto, MetricsSummariesDto } from './metrics.dto.js';

type Told = Pick<RouteText, 'id' | 'summary' | 'description' | 'errors'>;

const InAreaOfMonitoring = (area: RouteArea, text: Told) =>
  InArea(area, { ...text, permission: 'services.metrics:read' });

export function GetMetricsSummary(area: RouteArea): MethodDecorator {
  return applyDecorators(
    Get('metrics/summary'),
    InAreaOfMonitoring(area, {
      id: 'getMetricsSummary',
      summary: 'Summarise the metrics of all services',
      errors: [422],
      description: 'Services without a sample are included, with `available` false and empty sparklines.',
    }),
    ApiQuery({
      name: 'ids',
      required: false,
      schema: { type: 'string' },
      description: `UUIDs of at most ${MAX_IDS} services, separated by commas. Defaults to all services.`,
      example: '6f6c1d7e-52a5-4a53-9c39-2c6a5c1f0a11',
    }),
    ApiOkResponse({ type: MetricsSummariesDto, description: 'Current usage and the last half hour.' }),
  );
}

export function GetServiceMetrics(area: RouteArea): MethodDecorator {
  return applyDecorators(
    Get(':id/metrics'),
    InAreaOfMonitoring(area, {
      id: 'getServiceMetrics',
      summary: 'Read the metrics of a service',
      errors: [422],
      description: 'Current values, and a range: steps of 10 s for 15m, 60 s for 1h, 5 min for 6h, 15 min for 24h.',
    }),
    ServiceIdParam(),
    ApiQuery({
      name: 'range',
      required: false,
      description: 'How far back the series goes.',
      enum: METRICS_RANGES,
      schema: { default: DEFAULT_RANGE },
    }),
    ApiOkResponse({ type: MetricsDto, description: 'The latest measurements.' }),
  );
}

export function GetServiceHealth(area: RouteArea): MethodDecorator {
  return applyDecorators(
    Get(':id/health'),
    InAreaOfMonitoring(area, {
      id: 'getServiceHealth',
      summary: 'Read the health of a service',
      description: 'The state of each container on the engine, and what the panel did about it.',
    }),
    ServiceIdParam(),
    ApiOkResponse({ type: ServiceHealthDto, description: 'The latest health.' }),
  );
}

export function GetServiceDiskUsage(area: RouteArea): MethodDecorator {
  return applyDecorators(
    Get(':id/disk-usage'),
    InAreaOfMonitoring(area, {
      id: 'getServiceDiskUsage',
      summary: 'Read the disk usage of a service',
      description: 'Measured by the worker every five minutes.',
    }),
    ServiceIdParam(),
    ApiOkResponse({ type: DiskUsageDto, description: 'The latest measurements.' }),
  );
}
