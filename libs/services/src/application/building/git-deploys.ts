import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { Conflict, Invalid, NotFound } from '#kernel/errors';
import { headVersion } from '../../domain/deploying/deployment.js';
import type { DeploymentActor } from '../../domain/deploying/deployment-state.js';
import { parseGitRef } from '../../domain/git/git-ref.js';
import type { OrganisationScope } from '../../domain/organisation-scope.js';
import { Acceptance, type AcceptedAction } from '../controlling/acceptance.js';
import { Dispatch } from '../deploying/dispatch.js';
import { BuildRecords } from '../ports/git/build-records.js';
import { ServiceRecords } from '../service-records.js';

export interface RefDeployment {
  /** A branch, tag or commit. Null: the newest commit of the service's branch. */
  readonly ref: string | null;
  readonly trigger: 'git' | 'push';
  readonly actor: DeploymentActor;
}

/** Fetches and deploys commits of services that come from repositories. */
@Injectable()
export class GitDeploys {
  constructor(
    private readonly records: ServiceRecords,
    private readonly acceptance: Acceptance,
    private readonly built: BuildRecords,
    private readonly dispatch: Dispatch,
  ) {}

  /** @throws NotFound; ActionRefused; Conflict for a service without a repository; Invalid for a malformed ref */
  async deploy(scope: OrganisationScope, serviceId: Uuid, wanted: RefDeployment): Promise<AcceptedAction> {
    const accepted = await this.records.transactions.run(() => this.accept(scope, serviceId, wanted));
    this.sent(accepted);
    return accepted;
  }

  /** Like `deploy`, but in the current transaction. The caller must call `sent` after the commit. */
  async accept(scope: OrganisationScope, serviceId: Uuid, wanted: RefDeployment): Promise<AcceptedAction> {
    const { ref, trigger, actor } = wanted;
    if (ref !== null && !parseGitRef(ref)) throw Invalid.field('ref', 'must be a branch, a tag or a full commit id');
    const service = await this.records.services.getForUpdate(scope, serviceId);
    if (!service) throw new NotFound();
    if (service.state.deploymentType !== 'git')
      throw new Conflict('invalid_state', 'The service does not come from a repository.');
    const open = await this.records.deployments.open(serviceId);
    const { status } = service.state;
    if (status === 'pending' && trigger === 'push' && ref !== null && open.queued) {
      // The first deployment has not begun: it deploys this commit instead.
      await this.built.request(open.queued.id, serviceId, ref);
      return { serviceId, deploymentId: open.queued.id, status, isDone: false };
    }
    const specVersion = headVersion(service.state, open);
    const accepted = await this.acceptance.accept(service, { action: 'update', trigger, actor, specVersion }, open);
    if (accepted.deploymentId && ref !== null) await this.built.request(accepted.deploymentId, serviceId, ref);
    return accepted;
  }

  sent({ deploymentId }: AcceptedAction): void {
    if (deploymentId) this.dispatch.send(deploymentId);
  }
}
