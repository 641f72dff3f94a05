import { Injectable } from '@nestjs/common';
import { errorMessage } from '../../domain/deploying/deploy-failure.js';
import { diskUse, judgeDisk } from '../../domain/disk-limit.js';
import { OrganisationScope } from '../../domain/organisation-scope.js';
import type { ServiceState } from '../../domain/service-state.js';
import { ActionRefused } from '../../domain/services-errors.js';
import { ContainerRuntime } from '../ports/engine/container-runtime.js';
import type { DiskUse } from '../ports/engine/container-state.js';
import { MonitoringStore } from '../ports/monitoring/monitoring-store.js';
import { ServiceControl } from '../controlling/service-control.js';
import { ServiceRecords, THE_PANEL } from '../service-records.js';

/** A service above its disk limit. */
export interface DiskFinding {
  readonly serviceId: string;
  readonly text: string;
  readonly stopped: boolean;
}

/** Measures disk usage, which the engine cannot limit. A service far above its limit is stopped; its data are kept. */
@Injectable()
export class DiskLimits {
  constructor(
    private readonly runtime: ContainerRuntime,
    private readonly records: ServiceRecords,
    private readonly control: ServiceControl,
    private readonly store: MonitoringStore,
  ) {}

  /** @returns running services above their limit @throws EngineUnavailable */
  async check(signal?: AbortSignal): Promise<readonly DiskFinding[]> {
    const services = await this.records.services.all();
    if (services.length === 0) return [];
    const usage = await this.runtime.diskUsage(signal);
    const measured = services.map(({ id }) => ({ serviceId: id, ...(usage.get(id) ?? NOTHING) }));
    const disks = measured.map((use) => ({ ...use, totalBytes: totalOf(use) }));
    await this.store.saveDisks(disks, this.records.clock.now());
    const findings: DiskFinding[] = [];
    for (const [index, service] of services.entries()) {
      const finding = service.status === 'running' ? await this.assess(service, disks[index]!.totalBytes) : null;
      if (finding) findings.push(finding);
    }
    return findings;
  }

  private async assess({ id, resourceLimits }: ServiceState, usedBytes: number): Promise<DiskFinding | null> {
    const verdict = judgeDisk(usedBytes, resourceLimits.diskMb);
    if (verdict === 'within') return null;
    const text = diskUse(usedBytes, resourceLimits.diskMb);
    return { serviceId: id, text, stopped: verdict === 'far above' && (await this.stop(id, text)) };
  }

  private async stop(id: ServiceState['id'], text: string): Promise<boolean> {
    try {
      const reason = errorMessage('disk_full', `${text} and was stopped.`);
      await this.control.act(OrganisationScope.everything, id, 'stop', THE_PANEL, reason);
      return true;
    } catch (error) {
      // Another operation is in progress; the next measurement tries again.
      if (error instanceof ActionRefused) return false;
      throw error;
    }
  }
}

const NOTHING: DiskUse = { volumes: [], containers: [], images: [] };

/** Images do not count: other services may use them too. */
function totalOf({ volumes, containers }: DiskUse): number {
  const sizes = [...volumes.map(({ bytes }) => bytes), ...containers.map(({ writableBytes }) => writableBytes)];
  return sizes.reduce((total, bytes) => total + bytes, 0);
}
