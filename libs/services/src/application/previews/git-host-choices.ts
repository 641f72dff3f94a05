import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { Conflict, NotFound } from '#kernel/errors';
import type { PreviewSettings } from '../../domain/git/preview-source.js';
import type { OrganisationScope } from '../../domain/organisation-scope.js';
import { GitHostSettings } from '../ports/git/git-host-settings.js';
import { ServiceRecords } from '../service-records.js';

/** What a service from a repository has chosen about its Git host. A change of it deploys nothing. */
@Injectable()
export class GitHostChoices {
  constructor(
    private readonly settings: GitHostSettings,
    private readonly records: ServiceRecords,
  ) {}

  /** @throws NotFound; Conflict for a service without a repository */
  async show(scope: OrganisationScope, serviceId: Uuid): Promise<PreviewSettings> {
    this.assertGit(await this.records.services.get(scope, serviceId));
    return this.settings.previews(serviceId);
  }

  /** What is not named stays. @throws as `show` */
  async change(scope: OrganisationScope, serviceId: Uuid, change: Partial<PreviewSettings>): Promise<PreviewSettings> {
    return this.records.transactions.run(async () => {
      this.assertGit(await this.records.services.getForUpdate(scope, serviceId));
      const changed = { ...(await this.settings.previews(serviceId)), ...change };
      await this.settings.savePreviews(serviceId, changed);
      return changed;
    });
  }

  private assertGit(service: Awaited<ReturnType<ServiceRecords['services']['get']>>): void {
    if (!service) throw new NotFound();
    if (service.state.deploymentType !== 'git')
      throw new Conflict('invalid_state', 'The service does not come from a repository.');
  }
}
