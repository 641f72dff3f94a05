import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { NotFound } from '#kernel/errors';
import { AuditLog, type AuditActor } from '#libs/panel-auth';
import { headVersion } from '../../domain/deploying/deployment.js';
import type { GitSource } from '../../domain/git/git-source.js';
import type { OrganisationScope } from '../../domain/organisation-scope.js';
import { SpecStore } from '../ports/spec-store.js';
import { ServiceRecords } from '../service-records.js';

/** The source of a service, without its secrets. */
export interface ShownSource {
  readonly serviceId: Uuid;
  /** The newest version, which the next change builds on. */
  readonly version: number;
  readonly composeYaml: string;
  /** Names only; values are masked. */
  readonly variableNames: readonly string[];
  /** Null: not from a repository. Says whether there is a deploy key, but never shows it. */
  readonly git: ShownGitSource | null;
}

export interface ShownGitSource extends Omit<GitSource, 'deployKey' | 'buildSecrets'> {
  readonly hasDeployKey: boolean;
  readonly buildSecretNames: readonly string[];
}

/** Shows the source of a service. A compose file may contain passwords in clear text, so each read is recorded. */
@Injectable()
export class ServiceSources {
  constructor(
    private readonly records: ServiceRecords,
    private readonly specs: SpecStore,
    private readonly audit: AuditLog,
  ) {}

  /** @throws NotFound; DeployFailure `secret_undecryptable` if it cannot be decrypted */
  async show(scope: OrganisationScope, serviceId: Uuid, actor: AuditActor): Promise<ShownSource> {
    const { services, deployments, transactions } = this.records;
    const service = await services.get(scope, serviceId);
    if (!service) throw new NotFound();
    const version = headVersion(service.state, await deployments.open(serviceId));
    await transactions.run(() =>
      this.audit.record({
        action: 'service.source_read',
        actor,
        organisationId: service.state.customerId,
        target: serviceId,
        detail: { version },
      }),
    );
    const { composeYaml, variables, git } = await this.specs.open(serviceId, version);
    return { serviceId, version, composeYaml, variableNames: [...variables.keys()], git: git && shown(git) };
  }
}

function shown({ deployKey, buildSecrets, ...rest }: GitSource): ShownGitSource {
  return { ...rest, hasDeployKey: deployKey !== null, buildSecretNames: Object.keys(buildSecrets) };
}
