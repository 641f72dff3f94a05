import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import type { Uuid } from '#kernel/crypto/uuid';
import { Conflict, Invalid, NotFound } from '#kernel/errors';
import { headVersion } from '../../domain/deploying/deployment.js';
import type { DeploymentActor } from '../../domain/deploying/deployment-state.js';
import { parseGitAddress } from '../../domain/git/git-address.js';
import { composeOf, type GitSource } from '../../domain/git/git-source.js';
import type { OrganisationScope } from '../../domain/organisation-scope.js';
import { resourceLimits, type ResourceLimits } from '../../domain/resource-limits.js';
import type { ServicePlan } from '../../domain/service-plan.js';
import type { ServiceState } from '../../domain/service-state.js';
import type { Service, ServiceDetails } from '../../domain/service.js';
import { VersionUnknown } from '../../domain/services-errors.js';
import { Acceptance, type AcceptedAction } from '../controlling/acceptance.js';
import { Dispatch } from '../deploying/dispatch.js';
import { NetworkNames } from '../ports/network-names.js';
import { SpecStore, type ServiceSpec } from '../ports/spec-store.js';
import { OrganisationQuotas } from '../quota/organisation-quotas.js';
import { ServiceRecords } from '../service-records.js';
import { ServicesSettings } from '../settings.js';
import { TemplateSource } from '../templates/template-source.js';
import { publishedPorts, sharedNames, Specification, type OfferedText } from './specification.js';

/** A change. Omitted fields keep their values. */
export interface ServiceChange extends Partial<ServiceDetails> {
  readonly composeYaml?: string;
  /** Values by name; null removes one. */
  readonly variables?: ReadonlyMap<string, string | null>;
  readonly resourceLimits?: Partial<ResourceLimits>;
  /** Only for services from a repository. */
  readonly git?: Partial<GitSource>;
}

export interface ChangeTerms {
  /** Only administrators may publish additional host ports. */
  readonly portsAllowed: boolean;
  /** The version that the caller expects to be the newest; null for no check. */
  readonly expectedVersion: number | null;
}

export interface ChangePreview {
  /** The version that the change is based on. */
  readonly version: number;
  /** False if only the name, the description or the customer changes. */
  readonly isDeployed: boolean;
  /** The plan of the new version. */
  readonly plan: ServicePlan;
}

/** A validated version that is not stored yet. */
interface Prepared {
  readonly base: number;
  /** Null: unchanged from the base. */
  readonly spec: ServiceSpec | null;
  readonly plan: ServicePlan;
}

/** How often a change is validated again because the service was changed concurrently. */
const MAX_ROUNDS = 4;

/** Changes a service: validates the whole change, and stores it as a new version with its deployment. */
@Injectable()
export class ServiceChanges {
  constructor(
    private readonly specification: Specification,
    private readonly specs: SpecStore,
    private readonly quotas: OrganisationQuotas,
    private readonly records: ServiceRecords,
    private readonly acceptance: Acceptance,
    private readonly dispatch: Dispatch,
    private readonly networkNames: NetworkNames,
    private readonly templates: TemplateSource,
    private readonly settings: ServicesSettings,
  ) {}

  /**
   * @returns null if no deployment is needed
   * @throws NotFound; VersionUnknown; Invalid for the same reasons as for a new service; ActionRefused;
   *   ServiceNameTaken; HostPortTaken; QuotaExceeded; UnknownCustomer
   */
  async change(
    scope: OrganisationScope,
    serviceId: Uuid,
    change: ServiceChange,
    terms: ChangeTerms,
    actor: DeploymentActor,
  ): Promise<AcceptedAction | null> {
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const prepared = await this.prepare(scope, serviceId, change, terms);
      const stored = await this.records.transactions.run(() => this.store(scope, serviceId, change, prepared, actor));
      if (stored === 'overtaken') continue;
      if (stored?.deploymentId) this.dispatch.send(stored.deploymentId);
      return stored;
    }
    throw new Conflict('conflict', 'Somebody else is changing this service. Try again.');
  }

  /**
   * The effects of a change. Nothing is stored.
   * @throws NotFound; VersionUnknown; Invalid for the same reasons as for a new service
   */
  async preview(
    scope: OrganisationScope,
    serviceId: Uuid,
    change: ServiceChange,
    terms: ChangeTerms,
  ): Promise<ChangePreview> {
    const { base, spec, plan } = await this.prepare(scope, serviceId, change, terms);
    return { version: base, isDeployed: spec !== null, plan };
  }

  private async prepare(
    scope: OrganisationScope,
    serviceId: Uuid,
    change: ServiceChange,
    { portsAllowed, expectedVersion }: ChangeTerms,
  ): Promise<Prepared> {
    const service = await this.records.services.get(scope, serviceId);
    if (!service) throw new NotFound();
    const base = headVersion(service.state, await this.records.deployments.open(serviceId));
    if (expectedVersion !== null && expectedVersion !== base) throw new VersionUnknown(base, expectedVersion);
    const before = await this.specs.open(serviceId, base);
    const asked = changed(before, change);
    assertFit(asked.git);
    const written = await this.templates.changedSource(service.state, asked.resourceLimits, change);
    const spec = written === null ? asked : { ...asked, composeYaml: written.composeYaml };
    const isSame = isDeepStrictEqual(spec, before);
    if (change.composeYaml !== undefined) assertOwnFile(service.state);
    const customerId = change.customerId === undefined ? service.state.customerId : change.customerId;
    const plan =
      written === null
        ? await this.plan(serviceId, customerId, { before, spec }, portsAllowed)
        : await this.templatePlan(serviceId, { ...written, portsAllowed: false, customerId }, spec);
    return { base, spec: isSame ? null : spec, plan };
  }

  private templatePlan(serviceId: Uuid, source: OfferedText, spec: ServiceSpec): Promise<ServicePlan> {
    const { templateRegistry } = this.settings;
    return this.specification.planRequest(serviceId, source.customerId, source, spec.resourceLimits, templateRegistry);
  }

  /** Callers who may not publish ports keep those that an administrator published, but cannot add any. */
  private async plan(
    serviceId: Uuid,
    customerId: Uuid | null,
    { before, spec }: { readonly before: ServiceSpec; readonly spec: ServiceSpec },
    portsAllowed: boolean,
  ): Promise<ServicePlan> {
    const limits = spec.resourceLimits;
    const planned = (allowed: boolean) =>
      this.specification.planRequest(serviceId, customerId, { ...spec, portsAllowed: allowed, customerId }, limits);
    if (portsAllowed) return planned(true);
    const plan = await planned(true);
    const given = publishedPorts(
      await this.specification.plan(serviceId, { ...before, portsAllowed: true, customerId }, before.resourceLimits),
    );
    const isGiven = publishedPorts(plan).every((port) => given.some((one) => isDeepStrictEqual(one, port)));
    return isGiven ? plan : planned(false);
  }

  private async store(
    scope: OrganisationScope,
    serviceId: Uuid,
    change: ServiceChange,
    { base, spec, plan }: Prepared,
    actor: DeploymentActor,
  ): Promise<AcceptedAction | null | 'overtaken'> {
    const { services, deployments, clock } = this.records;
    const service = await services.getForUpdate(scope, serviceId);
    if (!service) throw new NotFound();
    const open = await deployments.open(serviceId);
    if (headVersion(service.state, open) !== base) return 'overtaken';
    if (spec) this.acceptance.assertAllowed(service, 'update');
    const before = service.state;
    service.describe(detailsOf(change));
    if (!spec) {
      if (service.state !== before) await services.update(service);
      await this.admit(service, before);
      return null;
    }
    const specVersion = await this.specs.add(serviceId, spec, clock.now());
    service.propose(specVersion, spec.resourceLimits);
    const accepted = await this.acceptance.accept(service, { action: 'update', actor, specVersion }, open);
    await this.admit(service, null);
    await services.claimPorts(serviceId, publishedPorts(plan));
    await this.networkNames.claim(serviceId, sharedNames(plan));
    return accepted;
  }

  /** @param before null if its limits may have changed */
  private async admit({ state: { customerId } }: Service, before: ServiceState | null): Promise<void> {
    if (customerId !== null && customerId !== before?.customerId) await this.quotas.admit(customerId);
  }
}

function changed(before: ServiceSpec, change: ServiceChange): ServiceSpec {
  const { composeYaml, variables, resourceLimits: limits } = change;
  if (change.git && !before.git) throw new Conflict('invalid_state', 'The service does not come from a repository.');
  const git = before.git && { ...before.git, ...change.git };
  const given = [...before.variables, ...(variables ?? [])];
  const values = new Map(given.filter((one): one is [string, string] => one[1] !== null));
  for (const [name, value] of variables ?? []) if (value === null) values.delete(name);
  return {
    ...before,
    git,
    composeYaml: git ? composeOf(git, values.keys()) : (composeYaml ?? before.composeYaml),
    variables: values,
    resourceLimits: limits ? resourceLimits({ ...before.resourceLimits, ...limits }) : before.resourceLimits,
  };
}

function detailsOf({ name, description, customerId }: ServiceChange): Partial<ServiceDetails> {
  return {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(customerId === undefined ? {} : { customerId }),
  };
}

/** A deploy key requires an ssh address. The two can be changed separately, so the combination is checked here. */
function assertFit(git: GitSource | null): void {
  if (git === null || git.deployKey === null) return;
  const parsed = parseGitAddress(git.url);
  if (!('defect' in parsed) && parsed.address.transport === 'https')
    throw Invalid.field('deploy_key', 'is only for ssh addresses: send null to remove it');
}

/** For services from a repository or a template, the panel writes the compose file. */
function assertOwnFile({ deploymentType }: ServiceState): void {
  if (deploymentType === 'compose') return;
  throw Invalid.field('composeYaml', `cannot be changed for a service from a ${deploymentType}`, 'validation_failed');
}
