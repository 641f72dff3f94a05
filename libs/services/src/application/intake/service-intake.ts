import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { Deployment } from '../../domain/deploying/deployment.js';
import type { DeploymentActor, DeploymentTrigger } from '../../domain/deploying/deployment-state.js';
import { composeOf, type GitSource } from '../../domain/git/git-source.js';
import type { ResourceLimits } from '../../domain/resource-limits.js';
import type { ServicePlan } from '../../domain/service-plan.js';
import type { DeploymentType, ServiceStatus } from '../../domain/service-state.js';
import { Service } from '../../domain/service.js';
import { OrganisationQuotas } from '../quota/organisation-quotas.js';
import { NetworkNames } from '../ports/network-names.js';
import { SpecStore } from '../ports/spec-store.js';
import { Dispatch } from '../deploying/dispatch.js';
import { ServiceRecords } from '../service-records.js';
import { publishedPorts, sharedNames, Specification, type OfferedText } from './specification.js';

export interface NewService extends OfferedText {
  readonly name: string;
  readonly description: string | null;
  readonly customerId: Uuid | null;
  readonly resourceLimits: ResourceLimits;
}

export interface NewGitService extends Omit<NewService, 'composeYaml' | 'portsAllowed'> {
  readonly git: GitSource;
}

export interface AcceptedService {
  readonly serviceId: Uuid;
  readonly deploymentId: Uuid;
  readonly status: ServiceStatus;
}

/** The origin of a new service. */
export interface ServiceOrigin {
  readonly deploymentType: DeploymentType;
  readonly templateName: string | null;
  readonly trigger: DeploymentTrigger;
  /** The variables that the specification stores. Defaults to all. */
  readonly storedVariables?: ReadonlyMap<string, string>;
  /** A registry for its images, allowed in addition to those that compose files may name. */
  readonly trustedRegistry?: string | null;
  /** A service of the panel itself, visible only to `OrganisationScope.everything`. */
  readonly isOwn?: boolean;
  /** Stores additional rows in the same transaction. */
  readonly alongside?: (serviceId: Uuid, deploymentId: Uuid) => Promise<void>;
}

const HASH_KEY_BYTES = 32;

/**
 * Creates services: validates the request and stores the service with its first deployment, which a worker executes.
 */
@Injectable()
export class ServiceIntake {
  constructor(
    private readonly specification: Specification,
    private readonly specs: SpecStore,
    private readonly quotas: OrganisationQuotas,
    private readonly records: ServiceRecords,
    private readonly dispatch: Dispatch,
    private readonly networkNames: NetworkNames,
  ) {}

  /**
   * The plan that `fromCompose` would create, with its warnings. Nothing is stored.
   * @param customerId the organisation whose secrets the file may name; if missing, they are not checked
   * @throws Invalid, like `fromCompose`
   */
  validate(source: Omit<OfferedText, 'customerId'>, limits: ResourceLimits, customerId?: Uuid): Promise<ServicePlan> {
    const offered = { ...source, customerId: customerId ?? null };
    return this.specification.planRequest(this.records.randomness.uuid(), customerId, offered, limits);
  }

  /**
   * @throws Invalid for a refused compose file; UnknownCustomer
   * @throws ServiceNameTaken; HostPortTaken; QuotaExceeded, also for administrators
   */
  fromCompose(request: NewService, actor: DeploymentActor): Promise<AcceptedService> {
    return this.accept(request, actor, { deploymentType: 'compose', templateName: null, trigger: 'create' });
  }

  /**
   * Creates a service from a repository, which only the worker clones and inspects.
   * @throws the errors of `fromCompose`; Invalid for a refused address
   */
  fromGit(request: NewGitService, actor: DeploymentActor): Promise<AcceptedService> {
    const { git, variables } = request;
    const composeYaml = composeOf(git, variables.keys());
    const origin = { deploymentType: 'git', templateName: null, trigger: 'git' } as const;
    return this.accept({ ...request, composeYaml, portsAllowed: false }, actor, origin);
  }

  /** The plan that `fromGit` would create, as far as it is known before the repository is cloned. Nothing is stored. */
  planGit({ git, variables, customerId, resourceLimits }: NewGitService): Promise<ServicePlan> {
    const offered = { composeYaml: composeOf(git, variables.keys()), variables, git, portsAllowed: false, customerId };
    return this.specification.planRequest(this.records.randomness.uuid(), customerId, offered, resourceLimits);
  }

  /** Like `fromCompose`, for a compose file that the panel itself has written. */
  async accept(request: NewService, actor: DeploymentActor, origin: ServiceOrigin): Promise<AcceptedService> {
    const { randomness, clock, transactions, services } = this.records;
    const { name, description, customerId, resourceLimits, composeYaml, variables } = request;
    const { deploymentType, templateName, trigger, storedVariables = variables, alongside, isOwn = false } = origin;
    const id = randomness.uuid();
    const registry = origin.trustedRegistry ?? null;
    const plan = await this.specification.planRequest(id, customerId, request, resourceLimits, registry);
    const now = clock.now();
    const service = Service.create({
      id,
      customerId,
      name,
      description,
      deploymentType,
      templateName,
      resourceLimits,
      createdAt: now,
    });
    const deployment = Deployment.queue({
      id: randomness.uuid(),
      serviceId: id,
      trigger,
      actor,
      specVersion: 1,
      createdAt: now,
    });
    const sealed = this.specs.seal(id, 1, {
      composeYaml,
      variables: storedVariables,
      resourceLimits,
      git: request.git ?? null,
      hashKey: randomness.bytes(HASH_KEY_BYTES),
    });
    const ports = publishedPorts(plan);
    const names = sharedNames(plan);
    const store = () => services.insert(service, sealed, deployment, isOwn);
    // Without further checks, one statement is the whole transaction.
    if (customerId === null && ports.length === 0 && names.length === 0 && !alongside) await store();
    else
      await transactions.run(async () => {
        await store();
        if (customerId !== null) await this.quotas.admit(customerId);
        await services.claimPorts(id, ports);
        await this.networkNames.claim(id, names);
        await alongside?.(id, deployment.id);
      });
    this.dispatch.send(deployment.id);
    return { serviceId: id, deploymentId: deployment.id, status: service.state.status };
  }
}
