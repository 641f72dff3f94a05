import { Body, Param, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { StreamableFile } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import type { Caller } from '#libs/panel-auth';
import { CurrentCaller } from '../http/caller.decorator.js';
import { PathId } from '../http/path-values.js';
import { CallerScope } from '../services/caller-scope.js';
import { PORTAL } from '../services/route-area.js';
import { SetBackupPolicyDto, type BackupPolicyDto } from '../backups/backup-policy.dto.js';
import { BackupRequests } from '../backups/backup-requests.js';
import {
  CreateBackup,
  DeleteBackup,
  DownloadBackup,
  GetBackup,
  ListBackups,
  VerifyBackup,
} from '../backups/backup-routes.js';
import type { AcceptedBackupDto, AcceptedVerificationDto, BackupDto, BackupPageDto } from '../backups/backup.dto.js';
import { GetBackupPolicy, SetBackupPolicy } from '../backups/policy-routes.js';
import { PortalController } from './portal-controller.decorator.js';

type Given = Readonly<Record<string, unknown>>;

/** The backups of a database of the caller's organisation, and their policy. */
@PortalController('services')
export class PortalServiceBackupsController {
  constructor(
    private readonly requests: BackupRequests,
    private readonly scope: CallerScope,
  ) {}

  @ListBackups(PORTAL)
  async list(
    @CurrentCaller() caller: Caller,
    @Param('id', PathId) id: Uuid,
    @Query() query: Given,
  ): Promise<BackupPageDto> {
    return this.requests.list(await this.scope.ofHome(caller), id, query);
  }

  @CreateBackup(PORTAL)
  async create(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<AcceptedBackupDto> {
    return this.requests.create(caller, await this.scope.ofHome(caller), id);
  }

  @GetBackupPolicy(PORTAL)
  async policy(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<BackupPolicyDto> {
    return this.requests.policy(await this.scope.ofHome(caller), id);
  }

  @SetBackupPolicy(PORTAL)
  async setPolicy(
    @CurrentCaller() caller: Caller,
    @Param('id', PathId) id: Uuid,
    @Body() body: SetBackupPolicyDto,
  ): Promise<BackupPolicyDto> {
    return this.requests.setPolicy(caller, await this.scope.ofHome(caller), id, body);
  }
}

/** Backups of the caller's organisation by id, including those of deleted services. */
@PortalController('backups')
export class PortalBackupsController {
  constructor(
    private readonly requests: BackupRequests,
    private readonly scope: CallerScope,
  ) {}

  @GetBackup(PORTAL)
  async get(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<BackupDto> {
    return this.requests.get(await this.scope.ofHome(caller), id);
  }

  @DownloadBackup(PORTAL)
  async download(
    @CurrentCaller() caller: Caller,
    @Param('id', PathId) id: Uuid,
    @Query() query: Given,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    return this.requests.download(caller, await this.scope.ofHome(caller), id, query, reply);
  }

  @VerifyBackup(PORTAL)
  async verify(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<AcceptedVerificationDto> {
    return this.requests.verify(await this.scope.ofHome(caller), id);
  }

  @DeleteBackup(PORTAL)
  async remove(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<void> {
    await this.requests.remove(caller, await this.scope.ofHome(caller), id);
  }
}
