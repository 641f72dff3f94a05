import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { OrganisationQuotas, type ResourceLimits } from '#libs/services';
import type { Effects } from './planned-change.js';

const NOTHING: ResourceLimits = { cpuCores: 0, memoryMb: 0, diskMb: 0 };

/** The quota use of an organisation after a change. */
@Injectable()
export class QuotaAfter {
  constructor(private readonly quotas: OrganisationQuotas) {}

  /**
   * @param before the current limits of the service; null for a new service
   * @throws NotFound when there is no such organisation
   */
  async of(
    organisationId: Uuid | null,
    before: ResourceLimits | null,
    after: ResourceLimits,
  ): Promise<Effects['quotaAfter']> {
    if (organisationId === null) return null;
    const { limits, used } = await this.quotas.standing(organisationId);
    const { cpuCores, memoryMb, diskMb } = before ?? NOTHING;
    return {
      limits: { ...limits },
      used: {
        services: used.services + (before === null ? 1 : 0),
        cpuCores: used.cpuCores - cpuCores + after.cpuCores,
        memoryMb: used.memoryMb - memoryMb + after.memoryMb,
        diskMb: used.diskMb - diskMb + after.diskMb,
      },
    };
  }
}
