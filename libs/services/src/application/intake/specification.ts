import { Injectable } from '@nestjs/common';
import { Invalid, type Violation } from '#kernel/errors';
import type { SecretText } from '#kernel/crypto/secret-text';
import { toPointer } from '#kernel/text/json-pointer';
import type { Uuid } from '#kernel/crypto/uuid';
import { DeployFailure } from '../../domain/deploying/deploy-failure.js';
import type { PlanContext } from '../../domain/compose/plan-context.js';
import { organisationNetwork } from '../../domain/organisation-network.js';
import { BUILT_HERE, type GitSource } from '../../domain/git/git-source.js';
import type { ResourceLimits } from '../../domain/resource-limits.js';
import type { SecretTemplate } from '../../domain/secret-template.js';
import type { ContainerPlan, ServicePlan } from '../../domain/service-plan.js';
import type { ServiceState } from '../../domain/service-state.js';
import { refuseMissingBuilder } from '../building/builder-check.js';
import { BuildingSettings } from '../building/building-settings.js';
import { ComposePlanner } from './compose-planner.js';
import type { SourceText } from './source-text.js';
import type { ContainerFile } from '../ports/engine/container-runtime.js';
import type { SharedName } from '../ports/network-names.js';
import { PanelIdentity } from '../ports/panel-identity.js';
import { SecretSource } from '../ports/secret-source.js';
import { SpecStore } from '../ports/spec-store.js';
import { ServicesSettings } from '../settings.js';
import { TemplateSource } from '../templates/template-source.js';

/** Submitted source text, with the rights of the caller. */
export interface OfferedText extends SourceText {
  /** Only administrators may publish host ports. */
  readonly portsAllowed: boolean;
  /** The organisation that the service belongs to, whose network it may join. */
  readonly customerId: Uuid | null;
}

/** A plan with every secret filled in: ready to be executed, and never to be shown or stored. */
export interface OpenedPlan {
  readonly plan: ServicePlan;
  readonly resourceLimits: ResourceLimits;
  readonly hashKey: Buffer;
  readonly git: GitSource | null;
  environmentOf(container: ContainerPlan): ReadonlyMap<string, SecretText>;
  filesOf(container: ContainerPlan): readonly ContainerFile[];
}

/** Turns the source of a service, submitted or stored, into its plan. */
@Injectable()
export class Specification {
  constructor(
    private readonly planner: ComposePlanner,
    private readonly specs: SpecStore,
    private readonly secrets: SecretSource,
    private readonly settings: ServicesSettings,
    private readonly templates: TemplateSource,
    private readonly identity: PanelIdentity,
    private readonly building: BuildingSettings,
  ) {}

  /**
   * @param trustedRegistry a registry that is allowed in addition to those that compose files may name
   * @throws Invalid with every error in the compose file
   */
  async plan(
    serviceId: string,
    source: OfferedText,
    resourceLimits: ResourceLimits,
    trustedRegistry: string | null = null,
  ): Promise<ServicePlan> {
    const context: PlanContext = {
      serviceId,
      resourceLimits,
      variables: source.variables,
      organisationNetwork: organisationNetwork(source.customerId, await this.identity.name()),
      portsAllowed: source.portsAllowed,
      portBindAddress: this.settings.portBindAddress,
      reservedPorts: this.settings.reservedPorts,
      allowedRegistries: new Set([
        ...this.settings.allowedRegistries,
        ...(trustedRegistry === null ? [] : [trustedRegistry]),
        ...(source.git ? [BUILT_HERE] : []),
      ]),
    };
    return this.planner.plan(source.composeYaml, context);
  }

  /**
   * Like `plan`, for a new request: every variable and secret that the file names must exist.
   * @param customerId the organisation whose secrets it may name; undefined if not known yet
   * @throws Invalid, also for missing variables and secrets, with their names, and for a builder that is missing here
   */
  async planRequest(
    serviceId: string,
    customerId: Uuid | null | undefined,
    source: OfferedText,
    resourceLimits: ResourceLimits,
    trustedRegistry: string | null = null,
  ): Promise<ServicePlan> {
    if (source.git) refuseMissingBuilder(source.git, this.building);
    const plan = await this.plan(serviceId, source, resourceLimits, trustedRegistry);
    const lacking: readonly Violation[] = [
      ...unsetVariables(plan),
      ...(customerId === undefined ? [] : await this.missingSecrets(customerId, plan)),
    ];
    if (lacking.length === 0) return plan;
    const [first] = lacking;
    const text = lacking.length === 1 ? first!.message : `${lacking.length} values that the file names were not given.`;
    throw new Invalid('validation_failed', text, lacking);
  }

  private async missingSecrets(customerId: Uuid | null, plan: ServicePlan): Promise<readonly Violation[]> {
    const missing = new Set(await this.missing(customerId, secretNames(plan)));
    return secretPlaces(plan).flatMap(({ path, template }) =>
      template.secretNames
        .filter((name) => missing.has(name))
        .map((name) => ({ path, code: 'secret_missing', message: `The secret ${name} does not exist.` })),
    );
  }

  /** @throws DeployFailure like `secretsOf` and the store; Invalid for a file that the current policy refuses */
  async open(service: ServiceState, version: number): Promise<OpenedPlan> {
    const spec = await this.specs.open(service.id, version);
    // The ports were accepted when the version was created, so a customer who redeploys it keeps them.
    const source = (await this.templates.sourceOf({ ...service, resourceLimits: spec.resourceLimits })) ?? spec;
    const offered = { ...source, portsAllowed: true, customerId: service.customerId };
    const registry = source === spec ? null : this.settings.templateRegistry;
    const plan = await this.plan(service.id, offered, spec.resourceLimits, registry);
    const secrets = await this.secretsOf(service, plan);
    const clear = (template: SecretTemplate) => template.resolve(secrets);
    return {
      plan,
      resourceLimits: spec.resourceLimits,
      hashKey: spec.hashKey,
      git: spec.git,
      environmentOf: ({ environment }) => new Map([...environment].map(([name, value]) => [name, clear(value)])),
      filesOf: ({ files }) =>
        files.map(({ target, content, uid, gid, mode }) => ({ path: target, content: clear(content), uid, gid, mode })),
    };
  }

  /** @throws DeployFailure `validation_failed` for deleted secrets, `secret_undecryptable` for unreadable ones */
  private async secretsOf({ customerId }: ServiceState, plan: ServicePlan): Promise<ReadonlyMap<string, SecretText>> {
    const names = secretNames(plan);
    if (names.length === 0) return new Map();
    const gone = await this.missing(customerId, names);
    if (gone.length > 0) throw new DeployFailure('validation_failed', `${these(gone)} not exist.`);
    const found = await this.secrets.resolve(customerId!, names);
    const closed = names.filter((name) => !found.has(name));
    if (closed.length === 0) return found;
    throw new DeployFailure('secret_undecryptable', `The stored value cannot be decrypted: ${closed.join(', ')}.`);
  }

  /** A service without an organisation has no secrets. */
  private async missing(customerId: Uuid | null, names: readonly string[]): Promise<readonly string[]> {
    if (names.length === 0 || customerId === null) return names;
    const existing = await this.secrets.existing(customerId, names);
    return names.filter((name) => !existing.has(name));
  }
}

function these(names: readonly string[]): string {
  return `The ${names.length === 1 ? `secret ${names[0]} does` : `secrets ${names.join(', ')} do`}`;
}

function secretNames(plan: ServicePlan): readonly string[] {
  return [...new Set(secretPlaces(plan).flatMap(({ template }) => template.secretNames))];
}

/** The places where the compose file may name secrets, by JSON pointer. */
function secretPlaces(plan: ServicePlan): readonly { readonly path: string; readonly template: SecretTemplate }[] {
  return plan.containers.flatMap(({ name, environment, files }) => [
    ...[...environment.values()].map((template) => ({ path: toPointer(['services', name, 'environment']), template })),
    ...files.map(({ kind, source, content }) => ({
      path: toPointer([`${kind}s`, source, 'content']),
      template: content,
    })),
  ]);
}

/** Variables without a value or default. Compose uses an empty string and warns. A new request is refused instead. */
function unsetVariables({ warnings }: ServicePlan): readonly Violation[] {
  return warnings
    .filter(({ code }) => code === 'variable_unset')
    .map((unset) => ({
      ...unset,
      code: 'variable_missing',
      message: unset.message.replace(/: an empty string is used\.$/, '.'),
    }));
}

/** All host ports that the containers publish. */
export function publishedPorts(plan: ServicePlan): ContainerPlan['ports'] {
  return plan.containers.flatMap(({ ports }) => ports);
}

/** The names of the containers on the organisation's network, by network name on the engine. */
export function sharedNames(plan: ServicePlan): readonly SharedName[] {
  const shared = new Set(
    plan.networks.filter(({ organisation }) => organisation !== undefined).map(({ name }) => name),
  );
  return plan.containers.flatMap(({ networks }) =>
    networks.flatMap(({ network, aliases }) =>
      shared.has(network) ? aliases.map((name) => ({ network, name: name.toLowerCase() })) : [],
    ),
  );
}
