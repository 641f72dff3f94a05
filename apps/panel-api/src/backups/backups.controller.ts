import { Body, Param, Query, Res, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { StreamableFile } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import type { Caller } from '#libs/panel-auth';
import { CurrentCaller } from '../http/caller.decorator.js';
import { PathId } from '../http/path-values.js';
import { CallerScope } from '../services/caller-scope.js';
import { PANEL } from '../services/route-area.js';
import { SetBackupPolicyDto, type BackupPolicyDto } from './backup-policy.dto.js';
import { BackupRequests } from './backup-requests.js';
import { CreateBackup, DeleteBackup, DownloadBackup, GetBackup, ListBackups, VerifyBackup } from './backup-routes.js';
import type { AcceptedBackupDto, AcceptedVerificationDto, BackupDto, BackupPageDto } from './backup.dto.js';
import { GetBackupPolicy, SetBackupPolicy } from './policy-routes.js';

type Given = Readonly<Record<string, unknown>>;

/** The backups of a database and their policy. */
@ApiTags('Backups')
@Controller('api/v1/services')
export class ServiceBackupsController {
  constructor(
    private readonly requests: BackupRequests,
    private readonly scope: CallerScope,
  ) {}

  @ListBackups(PANEL)
  async list(
    @CurrentCaller() caller: Caller,
    @Param('id', PathId) id: Uuid,
    @Query() query: Given,
  ): Promise<BackupPageDto> {
    return this.requests.list(await this.scope.of(caller), id, query);
  }

  @CreateBackup(PANEL)
  async create(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<AcceptedBackupDto> {
    return this.requests.create(caller, await this.scope.of(caller), id);
  }

  @GetBackupPolicy(PANEL)
  async policy(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<BackupPolicyDto> {
    return this.requests.policy(await this.scope.of(caller), id);
  }

  @SetBackupPolicy(PANEL)
  async setPolicy(
    @CurrentCaller() caller: Caller,
    @Param('id', PathId) id: Uuid,
    @Body() body: SetBackupPolicyDto,
  ): Promise<BackupPolicyDto> {
    return this.requests.setPolicy(caller, await this.scope.of(caller), id, body);
  }
}

/** Backups by id, including those of deleted services. */
@ApiTags('Backups')
@Controller('api/v1/backups')
export class BackupsController {
  constructor(
    private readonly requests: BackupRequests,
    private readonly scope: CallerScope,
  ) {}

  @GetBackup(PANEL)
  async get(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<BackupDto> {
    return this.requests.get(await this.scope.of(caller), id);
  }

  @DownloadBackup(PANEL)
  async download(
    @CurrentCaller() caller: Caller,
    @Param('id', PathId) id: Uuid,
    @Query() query: Given,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    return this.requests.download(caller, await this.scope.of(caller), id, query, reply);
  }

  @VerifyBackup(PANEL)
  async verify(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<AcceptedVerificationDto> {
    return this.requests.verify(await this.scope.of(caller), id);
  }

  @DeleteBackup(PANEL)
  async remove(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<void> {
    await this.requests.remove(caller, await this.scope.of(caller), id);
  }
}
