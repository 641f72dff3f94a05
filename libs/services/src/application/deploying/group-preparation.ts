import { Injectable } from '@nestjs/common';
import { DeployFailure } from '../../domain/deploying/deploy-failure.js';
import { pullPolicyOf, type Deployment } from '../../domain/deploying/deployment.js';
import { strategyFor, type HeldResources } from '../../domain/deploying/strategy.js';
import { topologyOf, type GroupMember, type GroupTopology } from '../../domain/deploying/group-topology.js';
import { OrganisationScope } from '../../domain/organisation-scope.js';
import { HostPortTaken, NetworkNameTaken } from '../../domain/services-errors.js';
import type { ImageReference } from '../../domain/service-plan.js';
import type { ServiceState } from '../../domain/service-state.js';
import { SourceBuild } from '../building/source-build.js';
import { GIT_ROLE } from '../../domain/git/git-source.js';
import { ImageSelection, type Images } from './image-selection.js';
import { NetworkNames } from '../ports/network-names.js';
import { ServiceQuota } from '../ports/service-quota.js';
import type { RunningOperation } from './running-operation.js';
import { ServiceRecords } from '../service-records.js';
import { publishedPorts, sharedNames, Specification, type OpenedPlan } from '../intake/specification.js';
import { TemplateGate } from '../templates/template-gate.js';

/** The steps before the commit point. On the engine, they change only the images. */
@Injectable()
export class GroupPreparation {
  constructor(
    private readonly specification: Specification,
    private readonly images: ImageSelection,
    private readonly builds: SourceBuild,
    private readonly quota: ServiceQuota,
    private readonly records: ServiceRecords,
    private readonly templates: TemplateGate,
    private readonly networkNames: NetworkNames,
  ) {}

  /**
   * @param reused the deployment whose images are taken, instead of resolving the tags again
   * @throws DeployFailure and errors of the runtime; the service is then unchanged
   */
  async prepare(run: RunningOperation, service: ServiceState, reused: Deployment | null): Promise<OpenedPlan> {
    const opened = await run.step('validate', () => this.open(run, service));
    await run.step('quota', async () => {
      await this.quota.check(service, opened.plan);
      await this.claimPorts(run, service, opened);
    });
    const { images, builtAs } = await this.imagesOf(run, service, opened, reused);
    await run.step('label_check', async () => {
      this.images.check(opened.plan, images);
      await this.templates.admit(service, images, run.operation);
    });
    await run.operation.guard();
    const planned = topologyOf(opened.plan, images);
    const topology = builtAs ? runningBuilt(planned, builtAs) : planned;
    const strategy = strategyFor(opened.plan, await this.held(service));
    await run.step('commit', () => Promise.resolve());
    run.log(`strategy: ${strategy}`);
    await run.write((service, deployment) => {
      service.commitDeployment();
      deployment.commit(topology, strategy, this.records.clock.now());
    });
    return opened;
  }

  /** The images: built if the service has a source, otherwise pulled. */
  private async imagesOf(
    run: RunningOperation,
    service: ServiceState,
    { plan, git }: OpenedPlan,
    given: Deployment | null,
  ): Promise<{ readonly images: Images; readonly builtAs: ImageReference | null }> {
    const reused = given?.topology ? given : git ? await this.builds.deployed(run, service) : null;
    const pinned = reused?.topology ?? null;
    const commitSha = reused?.state.commitSha ?? null;
    if (commitSha !== null) await run.write((_, deployment) => deployment.noteCommit(commitSha));
    if (git && !pinned) {
      const built = await this.builds.build(run, service, git);
      return { images: new Map([[GIT_ROLE, built.image]]), builtAs: built.reference };
    }
    // The name of a built image always means the same image, so it need not be resolved again.
    const policy = git ? 'if-missing' : pullPolicyOf(run.deployment.trigger);
    const images = await run.step('pull', () =>
      this.images.pull(plan, policy, pinned, run.operation, (text) => run.log(text)),
    );
    const earlier = git && pinned?.members.find(({ role }) => role === GIT_ROLE);
    return { images, builtAs: earlier ? earlier.image : null };
  }

  open(run: RunningOperation, service: ServiceState): Promise<OpenedPlan> {
    return this.specification.open(service, run.deployment.state.specVersion);
  }

  /** The ports and volumes in use by the running containers, or by those that a failed first deployment left. */
  private async held({ currentDeploymentId, portMappings }: ServiceState): Promise<HeldResources | null> {
    if (currentDeploymentId === null) return null;
    const current = await this.records.deployments.get(OrganisationScope.everything, currentDeploymentId);
    return { volumes: current?.topology?.volumes ?? [], ports: portMappings };
  }

  private async claimPorts(run: RunningOperation, service: ServiceState, { plan }: OpenedPlan): Promise<void> {
    const { services, transactions } = this.records;
    await run.operation.guard();
    try {
      await transactions.run(async () => {
        await services.claimPorts(service.id, publishedPorts(plan));
        await this.networkNames.claim(service.id, sharedNames(plan));
      });
    } catch (error) {
      if (error instanceof NetworkNameTaken)
        throw new DeployFailure('validation_failed', error.message, { cause: error });
      if (!(error instanceof HostPortTaken)) throw error;
      throw new DeployFailure('port_conflict', error.message, { cause: error });
    }
  }
}

/** Stores the own name of the built image, by which later rollbacks find it. */
function runningBuilt(topology: GroupTopology, reference: ImageReference): GroupTopology {
  const named = (member: GroupMember) => (member.role === GIT_ROLE ? { ...member, image: reference } : member);
  return { ...topology, members: topology.members.map(named) };
}
