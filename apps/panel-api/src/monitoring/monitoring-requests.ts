import { Injectable } from '@nestjs/common';
import { NotFound } from '#kernel/errors';
import type { Uuid } from '#kernel/crypto/uuid';
import { Backups } from '#libs/backups';
import { MonitoringQueries, type OrganisationScope } from '#libs/services';
import { DiskUsageDto } from './disk-usage.dto.js';
import { ServiceHealthDto } from './health.dto.js';
import { idsOf, rangeOf } from './metrics-query.js';
import { MetricsDto, MetricsSummariesDto } from './metrics.dto.js';

type Query = Readonly<Record<string, unknown>>;

/** What the monitoring routes of both areas do: they read stored measurements and never ask the engine. */
@Injectable()
export class MonitoringRequests {
  constructor(
    private readonly queries: MonitoringQueries,
    private readonly backups: Backups,
  ) {}

  async summary(scope: OrganisationScope, query: Query): Promise<MetricsSummariesDto> {
    return MetricsSummariesDto.of(await this.queries.summary(scope, idsOf(query['ids'])));
  }

  async metrics(scope: OrganisationScope, id: Uuid, query: Query): Promise<MetricsDto> {
    return MetricsDto.of(found(await this.queries.metrics(scope, id, rangeOf(query['range']))));
  }

  async health(scope: OrganisationScope, id: Uuid): Promise<ServiceHealthDto> {
    return ServiceHealthDto.of(found(await this.queries.health(scope, id)));
  }

  async diskUsage(scope: OrganisationScope, id: Uuid): Promise<DiskUsageDto> {
    const usage = found(await this.queries.diskUsage(scope, id));
    return DiskUsageDto.of({ ...usage, backupsBytes: await this.backups.storedBytes(scope, id) });
  }
}

function found<T>(view: T | null): T {
  if (view === null) throw new NotFound();
  return view;
}
