import { Injectable } from '@nestjs/common';
import { Invalid, NotFound } from '#kernel/errors';
import { parseUuid, type Uuid } from '#kernel/crypto/uuid';
import type { ChangeRequest } from '#libs/automation';
import { actorOf, type Permission } from '#libs/panel-auth';
import { ServiceChanges, ServiceQueries, type ServicePlan, type ServiceView } from '#libs/services';
import { UpdateServiceDto } from '../../services/update-service.dto.js';
import type { McpAccess } from '../access/mcp-access.js';
import { inWordsOfGit } from './git-names.js';
import { NO_EFFECTS, type DescribedChange, type Effects, type PlannedChange } from './planned-change.js';
import { QuotaAfter } from './quota-after.js';
import { refuseCustomer } from './refuse-customer.js';
import { RestBody } from './rest-body.js';

const REPLACED =
  'Containers are replaced. If the new ones cannot start beside the old ones, the service is down in the meantime.';

/** A change of an existing service: its compose file, variables, limits or name. */
@Injectable()
export class UpdateChange implements PlannedChange {
  readonly kind = 'update';
  readonly anyOf: readonly Permission[] = ['services:update'];

  constructor(
    private readonly bodies: RestBody,
    private readonly changes: ServiceChanges,
    private readonly queries: ServiceQueries,
    private readonly quota: QuotaAfter,
  ) {}

  async describe(access: McpAccess, request: ChangeRequest): Promise<DescribedChange> {
    const service = await this.service(access, request);
    const change = await this.change(access, request);
    const terms = { portsAllowed: access.portsAllowed, expectedVersion: null };
    const after = await this.changes.preview(access.scope, service.id, change, terms);
    const limits = { ...service.resourceLimits, ...change.resourceLimits };
    const quotaAfter = await this.quota.of(service.customerId, service.resourceLimits, limits);
    if (!after.isDeployed) {
      const summary = `Changes the name, description or organisation of the service ${service.name}. No container is touched.`;
      return { summary, effects: { ...NO_EFFECTS, quotaAfter }, warnings: [] };
    }
    const before = await this.changes.preview(access.scope, service.id, {}, terms);
    return {
      summary: `Creates a new version of the service ${service.name} and deploys it. If that fails, the previous version is restored.`,
      effects: { ...difference(before.plan, after.plan), quotaAfter },
      warnings: after.plan.warnings,
    };
  }

  /** The state of the service. Any change to it makes the plan outdated. */
  async basis(access: McpAccess, request: ChangeRequest): Promise<string> {
    const { id, status, updatedAt, containerIds } = await this.service(access, request);
    const terms = { portsAllowed: true, expectedVersion: null };
    const { version } = await this.changes.preview(access.scope, id, {}, terms);
    return JSON.stringify([id, version, status, updatedAt, containerIds]);
  }

  async apply(access: McpAccess, request: ChangeRequest): Promise<object> {
    const service = await this.service(access, request);
    const change = await this.change(access, request);
    const terms = { portsAllowed: access.portsAllowed, expectedVersion: null };
    const accepted = await this.changes.change(access.scope, service.id, change, terms, actorOf(access.caller));
    return {
      serviceId: service.id,
      deploymentId: accepted?.deploymentId ?? null,
      status: accepted?.status ?? service.status,
    };
  }

  private async change(access: McpAccess, request: ChangeRequest) {
    refuseCustomer(access, request);
    const { serviceId: _, ...body } = request;
    return UpdateServiceDto.change(await this.bodies.parse(UpdateServiceDto, inWordsOfGit(body)));
  }

  private async service({ scope }: McpAccess, { serviceId }: ChangeRequest): Promise<ServiceView & { id: Uuid }> {
    const id = parseUuid(serviceId);
    if (!id) throw Invalid.field('serviceId', 'is required');
    const service = await this.queries.get(scope, id);
    if (!service) throw new NotFound();
    return service;
  }
}

/** An update replaces all containers. Volumes are kept, even if the new version no longer uses them. */
function difference(before: ServicePlan, after: ServicePlan): Effects {
  const [old, next] = [before, after].map(({ containers }) => new Set(containers.map(({ name }) => name)));
  const known = new Set(before.volumes.map(({ key }) => key));
  return {
    ...NO_EFFECTS,
    containersCreated: [...next!].filter((name) => !old!.has(name)),
    containersReplaced: [...next!].filter((name) => old!.has(name)),
    containersRemoved: [...old!].filter((name) => !next!.has(name)),
    images: after.containers.map(({ image }) => image.ref),
    dataTouched: [
      ...after.volumes.map(({ key }) => ({
        volume: key,
        change: known.has(key) ? ('kept' as const) : ('created' as const),
      })),
      ...[...known]
        .filter((key) => !after.volumes.some((volume) => volume.key === key))
        .map((volume) => ({ volume, change: 'kept' as const })),
    ],
    downtimeExpected: true,
    downtimeReason: REPLACED,
  };
}
