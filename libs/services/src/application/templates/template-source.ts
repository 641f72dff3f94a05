import { Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { Invalid } from '#kernel/errors';
import type { Uuid } from '#kernel/crypto/uuid';
import { Clock } from '#kernel/time/clock';
import { TemplateCatalog, type Template, type TemplateInput } from '#libs/templates';
import { DeployFailure } from '../../domain/deploying/deploy-failure.js';
import type { ServiceState } from '../../domain/service-state.js';
import type { Rotation, TemplateSecrets, TemplateService } from '../../domain/templates/template-service.js';
import type { ResourceLimits } from '../../domain/resource-limits.js';
import type { SourceText } from '../intake/source-text.js';
import { TemplateServices } from '../ports/templates/template-services.js';

/** A service with its template. */
export interface KnownTemplate {
  readonly template: Template;
  readonly service: TemplateService;
  readonly input: TemplateInput;
}

const ROTATION_POLL_MS = 250;
const ROTATION_WAIT_MS = 30_000;
/** A rotation this old belongs to a dead process, so waiting for it is useless. */
const STALE_ROTATION_MS = 60_000;

/** Writes the compose file of a service from its template, limits and secrets. */
@Injectable()
export class TemplateSource {
  constructor(
    private readonly catalog: TemplateCatalog,
    private readonly services: TemplateServices,
    private readonly clock: Clock,
  ) {}

  /** @returns null for a service that was not created from a template */
  async find({ id, deploymentType, resourceLimits }: ServiceState): Promise<KnownTemplate | null> {
    const service = deploymentType === 'template' ? await this.services.get(id) : null;
    if (!service) return null;
    const template = this.catalog.bySlug(service.template);
    if (!template)
      throw new DeployFailure('validation_failed', `This installation no longer has the template ${service.template}.`);
    return { template, service, input: inputOf(service, resourceLimits) };
  }

  /**
   * The compose file and its secrets. It is written for every deployment, because the settings of the database depend
   * on the limits.
   * @returns null for a service that was not created from a template
   * @throws DeployFailure `secret_undecryptable`
   */
  async sourceOf(state: ServiceState): Promise<SourceText | null> {
    const known = await this.find(state);
    if (!known) return null;
    const { template, service, input } = known;
    const variables = clear(await this.settledSecrets(service.serviceId));
    return { composeYaml: this.catalog.composeYaml(template, input, service.image), variables };
  }

  /**
   * The compose file and its secrets for changed limits.
   * @returns null for a service that was not created from a template
   * @throws Invalid `resource_below_minimum`; Invalid for changed variables, which would not match the existing data
   */
  async changedSource(
    state: ServiceState,
    limits: ResourceLimits,
    { variables }: { readonly variables?: ReadonlyMap<string, string | null> },
  ): Promise<SourceText | null> {
    const known = await this.find({ ...state, resourceLimits: limits });
    if (!known) return null;
    if (variables && variables.size > 0) throw variablesFixed();
    assertEnoughMemory(known.template, limits);
    return this.sourceOf({ ...state, resourceLimits: limits });
  }

  /** Waits while the password is being changed, because either of the two may be valid. */
  private async settledSecrets(serviceId: Uuid): Promise<TemplateSecrets> {
    for (let waited = 0; waited < ROTATION_WAIT_MS; waited += ROTATION_POLL_MS) {
      const rotation = await this.services.rotation(serviceId);
      if (!rotation || isStale(rotation, this.clock.now())) break;
      await sleep(ROTATION_POLL_MS);
    }
    return this.services.secrets(serviceId);
  }
}

/** Whether the process that started it must have died. */
export function isStale({ beganAt }: Rotation, now: Date): boolean {
  return now.getTime() - beganAt.getTime() >= STALE_ROTATION_MS;
}

function variablesFixed(): Invalid {
  const message = 'variables of a database cannot be changed; to change the password, rotate it';
  return new Invalid('validation_failed', message, [{ path: '/variables', code: 'not_allowed', message }]);
}

/** @throws Invalid `resource_below_minimum` */
export function assertEnoughMemory({ minRamMb, name }: Template, { memoryMb }: ResourceLimits): void {
  if (memoryMb >= minRamMb) return;
  const message = `resourceLimits.memoryMb must be at least ${minRamMb} for ${name}`;
  throw Invalid.at(['resourceLimits', 'memoryMb'], message, 'resource_below_minimum');
}

export function inputOf(
  { serviceName, database, user }: Pick<TemplateService, 'serviceName' | 'database' | 'user'>,
  { memoryMb, cpuCores }: ResourceLimits,
): TemplateInput {
  return { serviceName, database, user, memoryMb, cpuCores };
}

function clear(secrets: TemplateSecrets): ReadonlyMap<string, string> {
  return new Map([...secrets].map(([name, value]) => [name, value.reveal()]));
}
