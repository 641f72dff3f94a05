import { Injectable, StreamableFile } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Invalid } from '#kernel/errors';
import type { Uuid } from '#kernel/crypto/uuid';
import { BACKUP_STATUSES, Backups, type BackupStatus, Policies, Retention } from '#libs/backups';
import { actorOf, type Caller } from '#libs/panel-auth';
import type { OrganisationScope } from '#libs/services';
import { listPage } from '../http/list-page.js';
import { AcceptedBackupDto, AcceptedVerificationDto, BackupDto, BackupPageDto } from './backup.dto.js';
import { BackupPolicyDto, SetBackupPolicyDto } from './backup-policy.dto.js';

type Query = Readonly<Record<string, unknown>>;

/** What the backup routes of both areas do. */
@Injectable()
export class BackupRequests {
  constructor(
    private readonly backups: Backups,
    private readonly policies: Policies,
    private readonly retention: Retention,
  ) {}

  async list(scope: OrganisationScope, serviceId: Uuid, query: Query): Promise<BackupPageDto> {
    const page = listPage(query.page, query.pageSize);
    const slice = { offset: (page.page - 1) * page.pageSize, limit: page.pageSize };
    const found = await this.backups.list(scope, serviceId, { status: statusOf(query.status) }, slice);
    return BackupPageDto.ofPage(page, found);
  }

  async create(caller: Caller, scope: OrganisationScope, serviceId: Uuid): Promise<AcceptedBackupDto> {
    return AcceptedBackupDto.of(await this.backups.create(scope, serviceId, 'manual', actorOf(caller)));
  }

  async get(scope: OrganisationScope, id: Uuid): Promise<BackupDto> {
    return BackupDto.of(await this.backups.get(scope, id));
  }

  async verify(scope: OrganisationScope, id: Uuid): Promise<AcceptedVerificationDto> {
    return AcceptedVerificationDto.of(await this.backups.verify(scope, id));
  }

  async download(
    caller: Caller,
    scope: OrganisationScope,
    id: Uuid,
    query: Query,
    reply: FastifyReply,
  ): Promise<StreamableFile> {
    const isSealed = sealedOf(query.sealed);
    const { backup, content } = await this.backups.download(scope, id, isSealed, actorOf(caller));
    const { sha256, sizeBytes, origin } = backup.state;
    reply.header('cache-control', 'no-store');
    if (isSealed && sha256 !== null) reply.header('x-content-sha256', sha256);
    // The headers are sent already, so a broken connection is the only way to tell the client that the file is
    // incomplete.
    content.once('error', () => reply.raw.destroy());
    return new StreamableFile(content, {
      type: 'application/octet-stream',
      disposition: `attachment; filename="${origin.template}-${id}${backup.format}${isSealed ? '.age' : ''}"`,
      ...(isSealed && sizeBytes !== null ? { length: sizeBytes } : {}),
    });
  }

  remove(caller: Caller, scope: OrganisationScope, id: Uuid): Promise<void> {
    return this.backups.remove(scope, id, actorOf(caller));
  }

  async policy(scope: OrganisationScope, serviceId: Uuid): Promise<BackupPolicyDto> {
    return BackupPolicyDto.of(await this.policies.get(scope, serviceId));
  }

  async setPolicy(
    caller: Caller,
    scope: OrganisationScope,
    serviceId: Uuid,
    body: SetBackupPolicyDto,
  ): Promise<BackupPolicyDto> {
    const policy = await this.policies.set(scope, serviceId, SetBackupPolicyDto.change(body), actorOf(caller));
    await this.retention.apply(serviceId);
    return BackupPolicyDto.of(policy);
  }
}

function statusOf(value: unknown): BackupStatus | null {
  if (value === undefined || value === '') return null;
  const status = BACKUP_STATUSES.find((known) => known === value);
  if (!status) throw Invalid.field('status', `must be one of ${BACKUP_STATUSES.join(', ')}`);
  return status;
}

function sealedOf(value: unknown): boolean {
  if (value === undefined || value === '' || value === 'false') return false;
  if (value === 'true') return true;
  throw Invalid.field('sealed', 'must be true or false');
}
