import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { OrganisationScope } from '../../domain/organisation-scope.js';
import { ServiceControl } from '../controlling/service-control.js';
import { PreviewRecords } from '../ports/git/preview-records.js';
import { ServiceRecords, THE_PANEL } from '../service-records.js';

export interface SweptPreview {
  readonly serviceId: Uuid;
  readonly reason: string;
}

/** Removes previews that are no longer needed. If it is interrupted, the next run completes the work. */
@Injectable()
export class PreviewSweep {
  constructor(
    private readonly previews: PreviewRecords,
    private readonly control: ServiceControl,
    private readonly records: ServiceRecords,
  ) {}

  async run(): Promise<readonly SweptPreview[]> {
    const { clock, transactions } = this.records;
    const found = await this.previews.unwanted(clock.now());
    for (const { serviceId, reason } of found) {
      // Close it first, so that a later push creates a new preview instead of using the one that is being removed.
      await transactions.run(() => this.previews.close(serviceId, clock.now()));
      await this.control.act(OrganisationScope.everything, serviceId, 'remove', THE_PANEL, reason);
    }
    return found;
  }
}
