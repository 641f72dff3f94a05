import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { NotFound } from '#kernel/errors';
import { AuditLog, type AuditActor } from '#libs/panel-auth';
import { headVersion } from '../../domain/deploying/deployment.js';
import type { GitSource } from '../../domain/git/git-source.js';
import type { OrganisationScope } from '../../domain/organisation-scope.js';
import { SpecStore } from '../ports/spec-store.js';
import { ServiceRecords } from '../service-records.js';

/** The source of a service as it may be shown. */
export interface ShownSource {
  readonly serviceId: Uuid;
  /** The newest one: what the next change builds on. */
  readonly version: number;
  readonly composeYaml: string;
  /** Their values stay hidden. */
  readonly variableNames: readonly string[];
  /** Null: it does not come from a repository. The key is told of, and not shown. */
  readonly git: ShownGitSource | null;
}

export interface ShownGitSource extends Omit<GitSource, 'deployKey'> {
  readonly hasDeployKey: boolean;
}

/** Shows what a service is made from. A compose file may hold passwords as they stand, so each look is recorded. */
@Injectable()
export class ServiceSources {
  constructor(
    private readonly records: ServiceRecords,
    private readonly specs: SpecStore,
    private readonly audit: AuditLog,
  ) {}

  /** @throws NotFound; DeployFailure `secret_undecryptable` when it cannot be opened */
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

function shown({ deployKey, ...rest }: GitSource): ShownGitSource {
  return { ...rest, hasDeployKey: deployKey !== null };
}
