import { Injectable } from '@nestjs/common';
import { NotFound } from '#kernel/errors';
import { SecretText } from '#kernel/crypto/secret-text';
import type { Uuid } from '#kernel/crypto/uuid';
import { checkVariables, generatedPassword, PASSWORD, TemplateCatalog, type Template } from '#libs/templates';
import type { DeploymentActor } from '../../domain/deploying/deployment-state.js';
import { DEFAULT_LIMITS, resourceLimits, type ResourceLimits } from '../../domain/resource-limits.js';
import { ServiceDomains } from '../domains/service-domains.js';
import { type AcceptedService, ServiceIntake } from '../intake/service-intake.js';
import { TemplateServices } from '../ports/templates/template-services.js';
import { ServiceRecords } from '../service-records.js';
import { assertEnoughMemory, inputOf } from './template-source.js';

export interface NewTemplateService {
  readonly name: string;
  readonly description: string | null;
  readonly customerId: Uuid | null;
  readonly variables: ReadonlyMap<string, string>;
  readonly resourceLimits: Partial<ResourceLimits>;
}

/** The origin of a service that a restore or a clone creates. */
export interface TemplateOrigin {
  readonly trigger: 'restore' | 'clone';
  /** Stores further rows in the same transaction. */
  readonly alongside: (accepted: Pick<AcceptedService, 'serviceId' | 'deploymentId'>) => Promise<void>;
}

/** Creates services from templates: writes the compose file and hands it to `ServiceIntake`. */
@Injectable()
export class TemplateIntake {
  constructor(
    private readonly catalog: TemplateCatalog,
    private readonly intake: ServiceIntake,
    private readonly services: TemplateServices,
    private readonly domains: ServiceDomains,
    private readonly records: ServiceRecords,
  ) {}

  /**
   * @throws NotFound for an unknown template
   * @throws Invalid for unknown or invalid variables, `resource_below_minimum`; UnknownCustomer
   * @throws ServiceNameTaken; NetworkNameTaken; QuotaExceeded
   */
  async deploy(
    templateId: Uuid,
    request: NewTemplateService,
    actor: DeploymentActor,
    origin: TemplateOrigin | null = null,
  ): Promise<AcceptedService> {
    const template = this.catalog.get(templateId);
    if (!template) throw new NotFound();
    const checked = checkVariables(template, request.variables, request.name);
    const limits = limitsOf(template, request.resourceLimits);
    const image = this.catalog.imageOf(template);
    const { serviceName, database, user } = checked;
    const secrets = this.secretsOf(template, checked.password);
    const source = {
      composeYaml: this.catalog.composeYaml(template, inputOf(checked, limits), image),
      variables: new Map([...secrets].map(([name, value]) => [name, value.reveal()])),
    };
    const { name, description, customerId } = request;
    const service = { name, description, customerId, resourceLimits: limits, portsAllowed: false, ...source };
    return this.intake.accept(service, actor, {
      deploymentType: 'template',
      templateName: template.slug,
      trigger: origin?.trigger ?? 'template',
      trustedRegistry: this.catalog.registryHost,
      // Secrets are stored separately, not with every version of the specification.
      storedVariables: new Map(),
      alongside: async (serviceId, deploymentId) => {
        await this.services.insert(
          {
            serviceId,
            template: template.slug,
            serviceName,
            database,
            user,
            image,
            serverVersion: null,
            awaitsDataSince: origin && this.records.clock.now(),
            createdAt: this.records.clock.now(),
          },
          secrets,
        );
        await this.publish({ id: serviceId, customerId }, template, serviceName, actor);
        await origin?.alongside({ serviceId, deploymentId });
      },
    });
  }

  /** A template with an HTTPS port gets a host under the base domain, if there is a base domain. */
  private async publish(
    service: { readonly id: Uuid; readonly customerId: Uuid | null },
    { ports }: Template,
    serviceName: string,
    actor: DeploymentActor,
  ): Promise<void> {
    const [port] = ports.filter(({ exposure }) => exposure === 'https');
    if (!port) return;
    const target = { label: serviceName, targetService: serviceName, targetPort: port.port };
    await this.domains.addUnderBaseDomain(service, target, actor);
  }

  private secretsOf({ ownSecrets }: Template, password: string | null): ReadonlyMap<string, SecretText> {
    const made = () => generatedPassword(this.records.randomness);
    return new Map([
      [PASSWORD, password === null ? made() : new SecretText(password)],
      ...ownSecrets.map((name) => [name, made()] as const),
    ]);
  }
}

/** The default memory is raised to the minimum of the template. @throws Invalid */
function limitsOf(template: Template, given: Partial<ResourceLimits>): ResourceLimits {
  const limits = resourceLimits({ memoryMb: Math.max(DEFAULT_LIMITS.memoryMb, template.minRamMb), ...given });
  assertEnoughMemory(template, limits);
  return limits;
}
