import { Injectable } from '@nestjs/common';
import { collectViolations } from '#kernel/collect-violations';
import { Invalid, NotFound } from '#kernel/errors';
import { characterCount } from '#kernel/text/plain-text';
import { parseUuid, type Uuid } from '#kernel/crypto/uuid';
import { actorOf, type Caller } from '#libs/panel-auth';
import {
  DeploymentLog,
  SERVICE_STATUSES,
  ServiceControl,
  ServiceIntake,
  ServiceQueries,
  viewPlan,
  type AcceptedAction,
  type OrganisationScope,
  type ServiceAction,
  type ServiceStatus,
} from '#libs/services';
import { listPage, PaginationDto } from '../http/list-page.js';
import { ComposeSourceDto, type CreateServiceDto } from './create-service.dto.js';
import { DeploymentLogDto, MAX_LOG_LINES } from './deployment-log.dto.js';
import { DeploymentDto, DeploymentPageDto, type RollbackDto } from './deployment.dto.js';
import {
  AcceptedActionDto,
  AcceptedServiceDto,
  RemovingServiceDto,
  ServiceDto,
  ServicePageDto,
  ValidatedComposeDto,
} from './service.dto.js';

export const MAX_SEARCHED = 200;

const NAMES: Readonly<Record<ServiceAction, string>> = {
  start: 'start',
  stop: 'stop',
  restart: 'restart',
  update: 'update',
  redeploy: 'redeployment',
  rollback: 'rollback',
  suspend: 'suspension',
  unsuspend: 'end of the suspension',
  reconcile: 'reconciliation',
  remove: 'removal',
};

type Query = Readonly<Record<string, unknown>>;

/** What the service routes of both areas do, once the organisation is known. */
@Injectable()
export class ServiceRequests {
  constructor(
    private readonly intake: ServiceIntake,
    private readonly control: ServiceControl,
    private readonly queries: ServiceQueries,
    private readonly deploymentLog: DeploymentLog,
  ) {}

  async list(scope: OrganisationScope, query: Query): Promise<ServicePageDto> {
    const page = listPage(query['page'], query['pageSize']);
    const filter = collectViolations({
      status: () => statusOf(query['status']),
      search: () => searchOf(query['search']),
    });
    const slice = { offset: (page.page - 1) * page.pageSize, limit: page.pageSize };
    const { services, total } = await this.queries.list(scope, filter, slice);
    return { data: services.map((view) => ServiceDto.of(view)), pagination: PaginationDto.of(page, total) };
  }

  async get(scope: OrganisationScope, id: Uuid): Promise<ServiceDto> {
    const view = await this.queries.get(scope, id);
    if (!view) throw new NotFound();
    return ServiceDto.of(view);
  }

  async deployments(scope: OrganisationScope, id: Uuid, query: Query): Promise<DeploymentPageDto> {
    const { page, pageSize } = listPage(query['page'], query['pageSize']);
    const found = await this.queries.deployments(scope, id, { offset: (page - 1) * pageSize, limit: pageSize });
    if (!found) throw new NotFound();
    return { data: found.map((deployment) => DeploymentDto.of(deployment)), pagination: { page, pageSize } };
  }

  async deployment(scope: OrganisationScope, id: Uuid): Promise<DeploymentDto> {
    const found = await this.queries.deployment(scope, id);
    if (!found) throw new NotFound();
    return DeploymentDto.of(found);
  }

  async log(scope: OrganisationScope, id: Uuid, query: Query): Promise<DeploymentLogDto> {
    const slice = collectViolations({
      since: () => countOf(query, 'since', { least: 0, most: 2_147_483_647, otherwise: 0 }),
      tail: () => countOf(query, 'tail', { least: 1, most: MAX_LOG_LINES, otherwise: MAX_LOG_LINES }),
    });
    const lines = await this.deploymentLog.read(scope, id, slice);
    if (!lines) throw new NotFound();
    return DeploymentLogDto.of(id, lines);
  }

  /** @param customerId the organisation that the service will belong to */
  async create(
    caller: Caller,
    body: Omit<CreateServiceDto, 'customerId'>,
    { customerId, portsAllowed }: { readonly customerId: Uuid | null; readonly portsAllowed: boolean },
  ): Promise<AcceptedServiceDto> {
    const { name, description = null } = body;
    const source = { ...sourceOf(body), portsAllowed };
    const request = { ...source, name, description, customerId, resourceLimits: ComposeSourceDto.limits(body) };
    return this.intake.fromCompose(request, actorOf(caller));
  }

  async validate(body: ComposeSourceDto, portsAllowed: boolean, customerId?: Uuid): Promise<ValidatedComposeDto> {
    const plan = await this.intake.validate(
      { ...sourceOf(body), portsAllowed },
      ComposeSourceDto.limits(body),
      customerId,
    );
    return { plan: viewPlan(plan) as Record<string, unknown>, warnings: plan.warnings };
  }

  async act(
    caller: Caller,
    scope: OrganisationScope,
    id: Uuid,
    action: Exclude<ServiceAction, 'update' | 'rollback' | 'remove'>,
  ): Promise<AcceptedActionDto> {
    return told(action, await this.control.act(scope, id, action, actorOf(caller)));
  }

  async rollback(caller: Caller, scope: OrganisationScope, id: Uuid, body: RollbackDto): Promise<AcceptedActionDto> {
    const deploymentId = parseUuid(body.deploymentId);
    if (!deploymentId) throw new NotFound();
    return told('rollback', await this.control.rollback(scope, id, deploymentId, actorOf(caller)));
  }

  async remove(caller: Caller, scope: OrganisationScope, id: Uuid): Promise<RemovingServiceDto> {
    await this.control.act(scope, id, 'remove', actorOf(caller));
    return { status: 'removing', message: 'The removal is scheduled; volumes are deleted with the service.' };
  }

  async cancel(scope: OrganisationScope, deploymentId: Uuid): Promise<DeploymentDto> {
    return DeploymentDto.of(await this.control.cancel(scope, deploymentId));
  }
}

function sourceOf(body: ComposeSourceDto) {
  return { composeYaml: body.composeYaml, variables: ComposeSourceDto.values(body) };
}

function told(action: ServiceAction, { isDone, ...accepted }: AcceptedAction): AcceptedActionDto {
  const done = isDone ? 'The suspension has ended; the service stays stopped.' : 'There is nothing to do.';
  const message = accepted.deploymentId === null ? done : `The ${NAMES[action]} of the service is scheduled.`;
  return { ...accepted, message };
}

function countOf(
  query: Query,
  name: string,
  { least, most, otherwise }: { readonly least: number; readonly most: number; readonly otherwise: number },
): number {
  const value = query[name];
  if (value === undefined || value === '') return otherwise;
  const count = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : Number.NaN;
  if (count >= least && count <= most) return count;
  throw Invalid.field(name, `must be a whole number from ${least} to ${most}`);
}

function statusOf(value: unknown): ServiceStatus | null {
  if (value === undefined) return null;
  const status = SERVICE_STATUSES.find((known) => known === value);
  if (!status) throw Invalid.field('status', `must be one of ${SERVICE_STATUSES.join(', ')}`);
  return status;
}

export function searchOf(value: unknown): string | null {
  if (value === undefined || value === '') return null;
  if (typeof value !== 'string' || characterCount(value) > MAX_SEARCHED || value.includes('\0')) {
    throw Invalid.field('search', `must be a string of at most ${MAX_SEARCHED} characters`);
  }
  return value;
}
