import { Injectable } from '@nestjs/common';
import { errorMessage } from '../domain/deploy-failure.js';
import { diskUse, judgeDisk } from '../domain/disk-limit.js';
import { OrganisationScope } from '../domain/organisation-scope.js';
import type { Service } from '../domain/service.js';
import { ActionRefused } from '../domain/services-errors.js';
import { ContainerRuntime } from './ports/container-runtime.js';
import { ServiceControl } from './service-control.js';
import { ServiceRecords, THE_PANEL } from './service-records.js';

/** A service that uses more disk than it may. */
export interface DiskFinding {
  readonly serviceId: string;
  readonly text: string;
  readonly stopped: boolean;
}

/** Measures what the engine cannot enforce. A service far above its limit is stopped; its data stay. */
@Injectable()
export class DiskLimits {
  constructor(
    private readonly runtime: ContainerRuntime,
    private readonly records: ServiceRecords,
    private readonly control: ServiceControl,
  ) {}

  /** @returns what is above its limit and runs @throws EngineUnavailable */
  async check(signal?: AbortSignal): Promise<readonly DiskFinding[]> {
    const running = (await this.records.services.all()).filter(({ status }) => status === 'running');
    if (running.length === 0) return [];
    const usage = await this.runtime.diskUsage(signal);
    const findings: DiskFinding[] = [];
    for (const service of running) {
      const finding = await this.assess(service, usage.get(service.id) ?? 0);
      if (finding) findings.push(finding);
    }
    return findings;
  }

  private async assess({ id, resourceLimits }: Service, usedBytes: number): Promise<DiskFinding | null> {
    const verdict = judgeDisk(usedBytes, resourceLimits.diskMb);
    if (verdict === 'within') return null;
    const text = diskUse(usedBytes, resourceLimits.diskMb);
    return { serviceId: id, text, stopped: verdict === 'far above' && (await this.stop(id, text)) };
  }

  private async stop(id: Service['id'], text: string): Promise<boolean> {
    try {
      const reason = errorMessage('disk_full', `${text} and was stopped.`);
      await this.control.act(OrganisationScope.all, id, 'stop', THE_PANEL, reason);
      return true;
    } catch (error) {
      // Something else is under way; it is measured again.
      if (error instanceof ActionRefused) return false;
      throw error;
    }
  }
}
