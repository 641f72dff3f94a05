import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import type { ChangeRequest } from '#libs/automation';
import type { Permission } from '#libs/panel-auth';
import { ServiceIntake } from '#libs/services';
import { CallerScope } from '../../services/caller-scope.js';
import { ComposeSourceDto, CreateServiceDto } from '../../services/create-service.dto.js';
import { ServiceRequests } from '../../services/service-requests.js';
import type { McpAccess } from '../access/mcp-access.js';
import { NO_EFFECTS, type DescribedChange, type PlannedChange } from './planned-change.js';
import { QuotaAfter } from './quota-after.js';
import { refuseCustomer } from './refuse-customer.js';
import { RestBody } from './rest-body.js';

/** A new service from a compose file. */
@Injectable()
export class ComposeChange implements PlannedChange {
  readonly kind = 'compose';
  readonly anyOf: readonly Permission[] = ['services:create'];

  constructor(
    private readonly bodies: RestBody,
    private readonly intake: ServiceIntake,
    private readonly requests: ServiceRequests,
    private readonly scopes: CallerScope,
    private readonly quota: QuotaAfter,
  ) {}

  async describe(access: McpAccess, request: ChangeRequest): Promise<DescribedChange> {
    const body = await this.body(access, request);
    const limits = ComposeSourceDto.limits(body);
    const source = { composeYaml: body.composeYaml, variables: ComposeSourceDto.values(body) };
    const plan = await this.intake.validate({ ...source, portsAllowed: access.portsAllowed }, limits);
    const containers = plan.containers.map(({ name }) => name);
    return {
      summary: `Creates the service ${body.name} with ${containers.length} new container(s). Nothing else is touched.`,
      effects: {
        ...NO_EFFECTS,
        containersCreated: containers,
        images: plan.containers.map(({ image }) => image.ref),
        dataTouched: plan.volumes.map(({ key }) => ({ volume: key, change: 'created' as const })),
        quotaAfter: await this.quota.of(await this.customer(access, body), null, limits),
      },
      warnings: plan.warnings,
    };
  }

  /** A new service has no state that could change. Quotas and names are checked again when it is created. */
  basis(): Promise<string> {
    return Promise.resolve('nothing');
  }

  async apply(access: McpAccess, request: ChangeRequest): Promise<object> {
    const body = await this.body(access, request);
    const customerId = await this.customer(access, body);
    return this.requests.create(access.caller, body, { customerId, portsAllowed: access.portsAllowed });
  }

  private body(access: McpAccess, request: ChangeRequest): Promise<CreateServiceDto> {
    refuseCustomer(access, request);
    return this.bodies.parse(CreateServiceDto, request);
  }

  private async customer(access: McpAccess, body: CreateServiceDto): Promise<Uuid | null> {
    if (access.area === 'tenant') return access.organisationId;
    return this.scopes.customerOf(access.caller, CreateServiceDto.customer(body));
  }
}
