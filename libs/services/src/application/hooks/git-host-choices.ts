import { Injectable } from '@nestjs/common';
import type { SecretText } from '#kernel/crypto/secret-text';
import type { Uuid } from '#kernel/crypto/uuid';
import { Conflict, Invalid, NotFound } from '#kernel/errors';
import { headVersion } from '../../domain/deploying/deployment.js';
import { providerOf } from '../../domain/git/commit-status.js';
import { parseGitAddress } from '../../domain/git/git-address.js';
import type { PreviewSettings } from '../../domain/git/preview-source.js';
import type { GitProvider } from '../../domain/git/push-event.js';
import type { OrganisationScope } from '../../domain/organisation-scope.js';
import type { Service } from '../../domain/service.js';
import { CommitStatusRecords, type ToldStatus } from '../ports/git/commit-status-records.js';
import { GitHostSettings } from '../ports/git/git-host-settings.js';
import { SpecStore } from '../ports/spec-store.js';
import { ServiceRecords } from '../service-records.js';

/** Omitted fields keep their values. */
export interface GitHostChoice {
  readonly previews: Partial<PreviewSettings>;
  readonly provider?: GitProvider | null;
  readonly token?: SecretText | null;
}

export interface ShownGitHost {
  readonly previews: PreviewSettings;
  readonly provider: GitProvider | null;
  readonly hasToken: boolean;
  readonly lastStatus: ToldStatus | null;
}

/** The settings of a service for its Git host: previews and commit statuses. Changing them deploys nothing. */
@Injectable()
export class GitHostChoices {
  constructor(
    private readonly settings: GitHostSettings,
    private readonly statuses: CommitStatusRecords,
    private readonly specs: SpecStore,
    private readonly records: ServiceRecords,
  ) {}

  /** @throws NotFound; Conflict for a service without a repository */
  async show(scope: OrganisationScope, serviceId: Uuid): Promise<ShownGitHost> {
    fromRepository(await this.records.services.get(scope, serviceId));
    const previews = await this.settings.previews(serviceId);
    return {
      previews,
      ...(await this.settings.shownHost(serviceId)),
      lastStatus: await this.statuses.latest(serviceId),
    };
  }

  /** @throws the errors of `show`; Invalid if there is a token but the kind of the host is unknown */
  async change(scope: OrganisationScope, serviceId: Uuid, change: GitHostChoice): Promise<ShownGitHost> {
    const { transactions, services, clock } = this.records;
    await transactions.run(async () => {
      const service = fromRepository(await services.getForUpdate(scope, serviceId));
      const { previews, ...host } = change;
      await this.settings.savePreviews(serviceId, { ...(await this.settings.previews(serviceId)), ...previews });
      await this.settings.saveHost(serviceId, host, clock.now());
      await this.assertKindKnown(service);
    });
    return this.show(scope, serviceId);
  }

  private async assertKindKnown(service: Service): Promise<void> {
    const { provider, hasToken } = await this.settings.shownHost(service.id);
    if (!hasToken || provider !== null) return;
    const version = headVersion(service.state, await this.records.deployments.open(service.id));
    const { git } = await this.specs.open(service.id, version);
    const parsed = git && parseGitAddress(git.url);
    if (parsed && 'address' in parsed && providerOf(parsed.address) !== null) return;
    throw Invalid.field(
      'statusProvider',
      'must be given, because the kind of the Git host cannot be told from its name',
    );
  }
}

/** @throws NotFound; Conflict */
function fromRepository(service: Service | null): Service {
  if (!service) throw new NotFound();
  if (service.state.deploymentType !== 'git')
    throw new Conflict('invalid_state', 'The service does not come from a repository.');
  return service;
}
