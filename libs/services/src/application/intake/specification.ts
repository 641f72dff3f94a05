import { Injectable } from '@nestjs/common';
import type { SecretText } from '#kernel/crypto/secret-text';
import { SecretText as Secret } from '#kernel/crypto/secret-text';
import { DeployFailure } from '../../domain/deploying/deploy-failure.js';
import type { PlanContext } from '../../domain/compose/plan-context.js';
import type { ResourceLimits } from '../../domain/resource-limits.js';
import type { SecretTemplate } from '../../domain/secret-template.js';
import type { ContainerPlan, ServicePlan } from '../../domain/service-plan.js';
import type { ServiceState } from '../../domain/service-state.js';
import { ComposePlanner } from './compose-planner.js';
import type { ContainerFile } from '../ports/engine/container-runtime.js';
import { SecretSource } from '../ports/secret-source.js';
import { SpecStore } from '../ports/spec-store.js';
import { ServicesSettings } from '../settings.js';

/** Source text of a service before it has been planned. */
export interface SourceText {
  readonly composeYaml: string;
  readonly variables: ReadonlyMap<string, string>;
}

/** Source text as somebody offers it, with what that somebody may ask for. */
export interface OfferedText extends SourceText {
  /** Publishing ports of the host is for administrators. */
  readonly portsAllowed: boolean;
}

/** A plan with every secret filled in: ready to be carried out, and never to be shown or stored. */
export interface OpenedPlan {
  readonly plan: ServicePlan;
  readonly hashKey: Buffer;
  environmentOf(container: ContainerPlan): ReadonlyMap<string, SecretText>;
  filesOf(container: ContainerPlan): readonly ContainerFile[];
}

/** From what a service is made from, given or stored, to its plan. */
@Injectable()
export class Specification {
  constructor(
    private readonly planner: ComposePlanner,
    private readonly specs: SpecStore,
    private readonly secrets: SecretSource,
    private readonly settings: ServicesSettings,
  ) {}

  /** @throws Invalid with every offending place of the compose file */
  plan(serviceId: string, source: OfferedText, resourceLimits: ResourceLimits): Promise<ServicePlan> {
    const context: PlanContext = {
      serviceId,
      resourceLimits,
      variables: source.variables,
      portsAllowed: source.portsAllowed,
      portBindAddress: this.settings.portBindAddress,
      reservedPorts: this.settings.reservedPorts,
      allowedRegistries: this.settings.allowedRegistries,
    };
    return this.planner.plan(source.composeYaml, context);
  }

  /** @throws DeployFailure `secret_undecryptable`; Invalid for a file that today's policy refuses */
  async open(service: ServiceState, version: number): Promise<OpenedPlan> {
    const spec = await this.specs.open(service.id, version);
    // Accepted once with its ports, by whoever might give them: a customer who redeploys it keeps them.
    const plan = await this.plan(service.id, { ...spec, portsAllowed: true }, service.resourceLimits);
    const secrets = await this.secretsOf(service, plan);
    const clear = (template: SecretTemplate) => template.resolve(secrets);
    return {
      plan,
      hashKey: spec.hashKey,
      environmentOf: ({ environment }) => new Map([...environment].map(([name, value]) => [name, clear(value)])),
      filesOf: ({ files }) =>
        files.map(({ target, content, uid, gid, mode }) => ({ path: target, content: clear(content), uid, gid, mode })),
    };
  }

  private async secretsOf(service: ServiceState, plan: ServicePlan): Promise<ReadonlyMap<string, SecretText>> {
    const names = secretNames(plan);
    if (names.length === 0) return new Map<string, Secret>();
    const found = service.customerId === null ? new Map() : await this.secrets.resolve(service.customerId, names);
    const missing = names.filter((name) => !found.has(name));
    if (missing.length === 0) return found;
    const text = `These secrets do not exist or cannot be opened: ${missing.join(', ')}.`;
    throw new DeployFailure('secret_undecryptable', text);
  }
}

function secretNames(plan: ServicePlan): readonly string[] {
  const templates = plan.containers.flatMap(({ environment, files }) => [
    ...environment.values(),
    ...files.map(({ content }) => content),
  ]);
  return [...new Set(templates.flatMap((template) => template.secretNames))];
}

/** Every host port that the containers publish. */
export function publishedPorts(plan: ServicePlan): ContainerPlan['ports'] {
  return plan.containers.flatMap(({ ports }) => ports);
}
