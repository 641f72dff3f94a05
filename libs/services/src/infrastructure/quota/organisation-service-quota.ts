import { Injectable } from '@nestjs/common';
import { ServiceQuota } from '../../application/ports/service-quota.js';
import { OrganisationQuotas } from '../../application/quota/organisation-quotas.js';
import { DeployFailure } from '../../domain/deploying/deploy-failure.js';
import { describeOverdraft } from '../../domain/quota/quota-exceeded.js';
import type { ServiceState } from '../../domain/service-state.js';

/** The quota of a service is that of the organisation it belongs to; the panel's own services have none. */
@Injectable()
export class OrganisationServiceQuota extends ServiceQuota {
  constructor(private readonly quotas: OrganisationQuotas) {
    super();
  }

  async check({ customerId }: ServiceState): Promise<void> {
    const overdraft = customerId === null ? null : await this.quotas.overdraft(customerId);
    if (overdraft) throw new DeployFailure('quota_exceeded', describeOverdraft(overdraft));
  }
}
