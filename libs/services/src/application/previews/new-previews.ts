import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { Conflict } from '#kernel/errors';
import { headVersion } from '../../domain/deploying/deployment.js';
import type { DeploymentActor } from '../../domain/deploying/deployment-state.js';
import { composeOf, GIT_ROLE } from '../../domain/git/git-source.js';
import { previewSource, previewVariables, type PreviewSettings } from '../../domain/git/preview-source.js';
import { refOf, type PullRequestEvent } from '../../domain/git/pull-request-event.js';
import type { ServiceState } from '../../domain/service-state.js';
import { ServiceNameTaken } from '../../domain/services-errors.js';
import { ServiceDomains } from '../domains/service-domains.js';
import { ServiceIntake, type ServiceOrigin } from '../intake/service-intake.js';
import { BuildRecords } from '../ports/git/build-records.js';
import type { OpenPreview } from '../ports/git/preview-records.js';
import { SpecStore } from '../ports/spec-store.js';
import { ServiceRecords } from '../service-records.js';

const HOUR_MS = 3_600_000;
const MAX_NAME_LENGTH = 200;

/** Creates the preview of a pull request: a service like its parent, built from the branch of the pull request. */
@Injectable()
export class NewPreviews {
  constructor(
    private readonly intake: ServiceIntake,
    private readonly domains: ServiceDomains,
    private readonly built: BuildRecords,
    private readonly specs: SpecStore,
    private readonly records: ServiceRecords,
  ) {}

  /**
   * @param alongside stores further rows in the same transaction @returns the id of the deployment
   * @throws Conflict if the parent has no repository; the errors of `ServiceIntake.accept`
   */
  async make(
    parent: ServiceState,
    settings: PreviewSettings,
    request: PullRequestEvent,
    actor: DeploymentActor,
    alongside: (preview: OpenPreview, deploymentId: Uuid) => Promise<void>,
  ): Promise<Uuid> {
    const { number, branch, commit } = request;
    const { customerId, resourceLimits } = parent;
    const spec = await this.specs.open(parent.id, headVersion(parent, await this.records.deployments.open(parent.id)));
    if (spec.git === null) throw new Conflict('invalid_state', 'The service does not come from a repository.');
    const git = previewSource(spec.git, branch);
    const variables = previewVariables(spec.variables, settings);
    const label = `pr-${number}-${parent.name}`;
    const origin: ServiceOrigin = {
      deploymentType: 'git',
      templateName: null,
      trigger: 'push',
      alongside: async (serviceId, deploymentId) => {
        const expiresAt = expiryOf(settings, this.records.clock.now());
        await alongside({ serviceId, parentId: parent.id, pullRequest: number, expiresAt }, deploymentId);
        await this.built.request(deploymentId, serviceId, refOf(request));
        const target = { label, targetService: GIT_ROLE, targetPort: git.port };
        await this.domains.addUnderBaseDomain({ id: serviceId, customerId }, target, actor);
      },
    };
    const made = {
      description: `Preview of pull request ${number}, branch ${branch}`,
      customerId,
      resourceLimits,
      git,
      variables,
      composeYaml: composeOf(git, variables.keys()),
      portsAllowed: false,
    };
    const named = (tail: string) => ({
      ...made,
      name: `${parent.name.slice(0, MAX_NAME_LENGTH - tail.length)}${tail}`,
    });
    try {
      return (await this.intake.accept(named(`-pr-${number}`), actor, origin)).deploymentId;
    } catch (error) {
      if (!(error instanceof ServiceNameTaken)) throw error;
      // An earlier preview of this pull request may not be removed yet.
      const tail = `-pr-${number}-${commit.slice(0, 7)}`;
      return (await this.intake.accept(named(tail), actor, origin)).deploymentId;
    }
  }
}

export function expiryOf({ hours }: PreviewSettings, from: Date): Date {
  return new Date(from.getTime() + hours * HOUR_MS);
}
