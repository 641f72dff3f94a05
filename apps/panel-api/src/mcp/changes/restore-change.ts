import { Injectable } from '@nestjs/common';
import { Invalid, NotFound } from '#kernel/errors';
import { parseUuid, type Uuid } from '#kernel/crypto/uuid';
import type { ChangeRequest } from '#libs/automation';
import { type Backup, Backups } from '#libs/backups';
import type { Permission } from '#libs/panel-auth';
import { ServiceQueries, type ServiceView } from '#libs/services';
import { RestoreBackupDto } from '../../backups/restore.dto.js';
import { RestoreRequests } from '../../backups/restore-requests.js';
import type { McpAccess } from '../access/mcp-access.js';
import { NO_EFFECTS, type DescribedChange, type PlannedChange } from './planned-change.js';
import { QuotaAfter } from './quota-after.js';
import { RestBody } from './rest-body.js';

/** Restores a backup: into a new service, or into the service that it was made of. */
@Injectable()
export class RestoreChange implements PlannedChange {
  readonly kind = 'restore';
  readonly anyOf: readonly Permission[] = ['backups:restore'];

  constructor(
    private readonly bodies: RestBody,
    private readonly backups: Backups,
    private readonly services: ServiceQueries,
    private readonly requests: RestoreRequests,
    private readonly quota: QuotaAfter,
  ) {}

  async describe(access: McpAccess, request: ChangeRequest): Promise<DescribedChange> {
    const body = await this.body(request);
    const { backup, service } = await this.find(access, request, body);
    backup.assertRestorable();
    const { createdAt, origin, verification } = backup.state;
    const proof = verification?.status === 'verified' ? [] : [UNPROVEN];
    const of = `the backup of ${createdAt.toISOString()}`;
    if (body.into === 'same') {
      backup.assertCanReplace();
      if (!service) throw new NotFound();
      if (body.confirm !== service.name) throw Invalid.field('confirm', 'must be the name of the service');
      return {
        summary: `Makes another backup of ${service.name}, then replaces its data with ${of}.`,
        effects: {
          ...NO_EFFECTS,
          dataTouched: [{ volume: origin.database === '' ? 'data' : origin.database, change: 'overwritten' }],
          downtimeExpected: true,
          downtimeReason: 'Clients are disconnected while the data are swapped.',
        },
        warnings: proof,
      };
    }
    const { cpuCores, memoryMb, diskMb } = origin;
    const quotaAfter = await this.quota.of(backup.state.customerId, null, { cpuCores, memoryMb, diskMb });
    return {
      summary: `Creates a new service like ${origin.serviceName} with the data of ${of}. The old one is not touched.`,
      effects: {
        ...NO_EFFECTS,
        containersCreated: [origin.template],
        dataTouched: [{ volume: 'data', change: 'created' }],
        quotaAfter,
      },
      warnings: proof,
    };
  }

  /** The backup with its verification, and the state of the service. */
  async basis(access: McpAccess, request: ChangeRequest): Promise<string> {
    const { backup, service } = await this.find(access, request, await this.body(request));
    const { id, status, verification } = backup.state;
    return JSON.stringify([id, status, verification?.status, service?.id, service?.name, service?.status]);
  }

  async apply(access: McpAccess, request: ChangeRequest): Promise<object> {
    const body = await this.body(request);
    return this.requests.restore(access.caller, access.scope, serviceOf(request), body);
  }

  /** The fields of the REST body. The other arguments of `plan_change` belong to other kinds of changes. */
  private body({ serviceId: _, ...body }: ChangeRequest): Promise<RestoreBackupDto> {
    return this.bodies.parse(RestoreBackupDto, body);
  }

  private async find(
    { scope }: McpAccess,
    request: ChangeRequest,
    { backupId }: RestoreBackupDto,
  ): Promise<{ readonly backup: Backup; readonly service: ServiceView | null }> {
    const serviceId = serviceOf(request);
    const id = parseUuid(backupId);
    const backup = id && (await this.backups.get(scope, id));
    if (backup?.state.serviceId !== serviceId) throw new NotFound();
    return { backup, service: await this.services.get(scope, serviceId) };
  }
}

const UNPROVEN = {
  path: '/backupId',
  code: 'not_verified',
  message: 'This backup has not been verified: it may not be restorable.',
};

function serviceOf({ serviceId }: ChangeRequest): Uuid {
  const id = parseUuid(serviceId);
  if (!id) throw Invalid.field('serviceId', 'is required');
  return id;
}
