import { Injectable } from '@nestjs/common';
import { Conflict, Invalid, NotFound } from '#kernel/errors';
import { parseUuid, type Uuid } from '#kernel/crypto/uuid';
import type { ChangeRequest } from '#libs/automation';
import { PermissionMissing, type Permission } from '#libs/panel-auth';
import { ServiceIntake, ServiceQueries, type ServiceView } from '#libs/services';
import { CreateGitServiceDto, DeployRefDto } from '../../git/create-git-service.dto.js';
import { GitRequests } from '../../git/git-requests.js';
import { CallerScope } from '../../services/caller-scope.js';
import type { McpAccess } from '../access/mcp-access.js';
import { inWordsOfGit } from './git-names.js';
import { NO_EFFECTS, type DescribedChange, type PlannedChange } from './planned-change.js';
import { QuotaAfter } from './quota-after.js';
import { refuseCustomer } from './refuse-customer.js';
import { RestBody } from './rest-body.js';

const MORE_NAMES = { customerId: 'customer_id', resourceLimits: 'resource_limits' };
const BUILT = 'It is cloned and built first. If that fails, nothing else happens.';

/** A new service from a repository, or another commit of an existing one. */
@Injectable()
export class GitChange implements PlannedChange {
  readonly kind = 'git';
  readonly anyOf: readonly Permission[] = ['services:create', 'services:deploy'];

  constructor(
    private readonly bodies: RestBody,
    private readonly intake: ServiceIntake,
    private readonly queries: ServiceQueries,
    private readonly requests: GitRequests,
    private readonly scopes: CallerScope,
    private readonly quota: QuotaAfter,
  ) {}

  async describe(access: McpAccess, request: ChangeRequest): Promise<DescribedChange> {
    const service = await this.service(access, request);
    if (service) return this.describeDeployment(service, await this.ref(request));
    const body = await this.body(access, request);
    const customerId = await this.customer(access, body);
    const wanted = GitRequests.newService(body, customerId);
    const plan = await this.intake.planGit(wanted);
    return {
      summary: `Creates the service ${body.name} from ${body.git_repo_url}. ${BUILT}`,
      effects: {
        ...NO_EFFECTS,
        containersCreated: plan.containers.map(({ name }) => name),
        dataTouched: plan.volumes.map(({ key }) => ({ volume: key, change: 'created' as const })),
        quotaAfter: await this.quota.of(customerId, null, wanted.resourceLimits),
      },
      // The image is built here, so warnings about its name are useless.
      warnings: plan.warnings.filter(({ code }) => code !== 'image_latest'),
    };
  }

  /** The state of an existing service. A new one has no state that could change. */
  async basis(access: McpAccess, request: ChangeRequest): Promise<string> {
    const service = await this.service(access, request);
    if (!service) return 'nothing';
    const { id, status, updatedAt, containerIds } = service;
    return JSON.stringify([id, status, updatedAt, containerIds]);
  }

  async apply(access: McpAccess, request: ChangeRequest): Promise<object> {
    const service = await this.service(access, request);
    if (service) return this.requests.deploy(access.caller, access.scope, service.id, await this.ref(request));
    const body = await this.body(access, request);
    return this.requests.create(access.caller, body, await this.customer(access, body));
  }

  private async describeDeployment(service: ServiceView, { ref }: DeployRefDto): Promise<DescribedChange> {
    if (service.deploymentType !== 'git')
      throw new Conflict('invalid_state', 'The service does not come from a repository.');
    const limits = service.resourceLimits;
    return {
      summary: `Deploys ${ref ?? 'the newest commit of its branch'} as the service ${service.name}. ${BUILT}`,
      effects: {
        ...NO_EFFECTS,
        containersReplaced: ['app'],
        downtimeExpected: true,
        downtimeReason: 'If the new container cannot start beside the old one, the service is down in the meantime.',
        quotaAfter: await this.quota.of(service.customerId, limits, limits),
      },
      warnings: [],
    };
  }

  /** @throws NotFound for another organisation's service @returns null if the request names no service */
  private async service(access: McpAccess, { serviceId }: ChangeRequest): Promise<ServiceView | null> {
    // The caller has at least one of the two permissions. Only now it is known which one is needed.
    const isNew = serviceId === undefined;
    if (!access.hasAnyOf([isNew ? 'services:create' : 'services:deploy'])) throw new PermissionMissing();
    if (isNew) return null;
    const id = parseUuid(serviceId);
    if (!id) throw Invalid.field('serviceId', 'must be a UUID');
    const service = await this.queries.get(access.scope, id);
    if (!service) throw new NotFound();
    return service;
  }

  private ref({ ref }: ChangeRequest): Promise<DeployRefDto> {
    return this.bodies.parse(DeployRefDto, ref === undefined ? {} : { ref });
  }

  private body(access: McpAccess, request: ChangeRequest): Promise<CreateGitServiceDto> {
    refuseCustomer(access, request);
    return this.bodies.parse(CreateGitServiceDto, inWordsOfGit(request, MORE_NAMES));
  }

  private async customer(access: McpAccess, body: CreateGitServiceDto): Promise<Uuid | null> {
    if (access.area === 'tenant') return access.organisationId;
    return this.scopes.customerOf(access.caller, CreateGitServiceDto.customer(body));
  }
}
