import { Injectable } from '@nestjs/common';
import { Invalid, NotFound } from '#kernel/errors';
import { parseUuid, type Uuid } from '#kernel/crypto/uuid';
import type { ChangeRequest } from '#libs/automation';
import type { Permission } from '#libs/panel-auth';
import { resourceLimits } from '#libs/services';
import { TemplateCatalog, type Template } from '#libs/templates';
import { CallerScope } from '../../services/caller-scope.js';
import { ComposeSourceDto } from '../../services/create-service.dto.js';
import { DeployTemplateDto } from '../../templates/deploy-template.dto.js';
import { TemplateRequests } from '../../templates/template-requests.js';
import type { McpAccess } from '../access/mcp-access.js';
import { NO_EFFECTS, type DescribedChange, type PlannedChange } from './planned-change.js';
import { QuotaAfter } from './quota-after.js';
import { refuseCustomer } from './refuse-customer.js';
import { RestBody } from './rest-body.js';

/** A new database from a template. */
@Injectable()
export class TemplateChange implements PlannedChange {
  readonly kind = 'template';
  readonly anyOf: readonly Permission[] = ['templates:deploy'];

  constructor(
    private readonly bodies: RestBody,
    private readonly catalog: TemplateCatalog,
    private readonly requests: TemplateRequests,
    private readonly scopes: CallerScope,
    private readonly quota: QuotaAfter,
  ) {}

  async describe(access: McpAccess, request: ChangeRequest): Promise<DescribedChange> {
    const template = this.template(request);
    const body = await this.body(access, request);
    const given = ComposeSourceDto.givenLimits(body.resourceLimits ?? {});
    const limits = resourceLimits({ memoryMb: Math.max(512, template.minRamMb), ...given });
    if (limits.memoryMb < template.minRamMb)
      throw Invalid.field('resourceLimits.memoryMb', `must be at least ${template.minRamMb}`, 'resource_below_minimum');
    return {
      summary: `Creates the service ${body.name} from the template ${template.name}. Nothing else is touched.`,
      effects: {
        ...NO_EFFECTS,
        containersCreated: [template.slug],
        images: [this.catalog.referenceOf(this.catalog.imageOf(template))],
        dataTouched: template.volumes.map(({ name }) => ({ volume: name, change: 'created' as const })),
        quotaAfter: await this.quota.of(await this.customer(access, body), null, limits),
      },
      warnings: [],
    };
  }

  /** The template as it is now. */
  basis(_access: McpAccess, request: ChangeRequest): Promise<string> {
    const { id, version, updatedAt } = this.template(request);
    return Promise.resolve(JSON.stringify([id, version, updatedAt]));
  }

  async apply(access: McpAccess, request: ChangeRequest): Promise<object> {
    const body = await this.body(access, request);
    return this.requests.deploy(access.caller, this.template(request).id, body, await this.customer(access, body));
  }

  private template({ templateId }: ChangeRequest): Template {
    const id = parseUuid(templateId);
    if (!id) throw Invalid.field('templateId', 'is required');
    const template = this.catalog.get(id);
    if (!template) throw new NotFound();
    return template;
  }

  private body(access: McpAccess, request: ChangeRequest): Promise<DeployTemplateDto> {
    refuseCustomer(access, request);
    const { templateId: _, ...body } = request;
    return this.bodies.parse(DeployTemplateDto, body);
  }

  private async customer(access: McpAccess, body: DeployTemplateDto): Promise<Uuid | null> {
    if (access.area === 'tenant') return access.organisationId;
    return this.scopes.customerOf(access.caller, DeployTemplateDto.customer(body));
  }
}
