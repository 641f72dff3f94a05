import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Uuid } from '#kernel/crypto/uuid';
import type { Caller } from '#libs/panel-auth';
import { CurrentCaller } from '../http/caller.decorator.js';
import { PathId } from '../http/path-values.js';
import { CallerScope } from '../services/caller-scope.js';
import { PANEL } from '../services/route-area.js';
import { RestoreRequests } from './restore-requests.js';
import { CloneService, GetRecoveryWindow, GetRestore, ListRestores, RestoreBackup } from './restore-routes.js';
import {
  CloneServiceDto,
  type RecoveryWindowDto,
  RestoreBackupDto,
  type RestoreDto,
  type RestorePageDto,
} from './restore.dto.js';

type Given = Readonly<Record<string, unknown>>;

/** Restores of a database. */
@ApiTags('Backups')
@Controller('api/v1/services')
export class ServiceRestoresController {
  constructor(
    private readonly requests: RestoreRequests,
    private readonly scope: CallerScope,
  ) {}

  @RestoreBackup(PANEL)
  async restore(
    @CurrentCaller() caller: Caller,
    @Param('id', PathId) id: Uuid,
    @Body() body: RestoreBackupDto,
  ): Promise<RestoreDto> {
    return this.requests.restore(caller, await this.scope.of(caller), id, body);
  }

  @ListRestores(PANEL)
  async list(
    @CurrentCaller() caller: Caller,
    @Param('id', PathId) id: Uuid,
    @Query() query: Given,
  ): Promise<RestorePageDto> {
    return this.requests.list(await this.scope.of(caller), id, query);
  }

  @GetRecoveryWindow(PANEL)
  async window(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<RecoveryWindowDto> {
    return this.requests.window(await this.scope.of(caller), id);
  }

  @CloneService(PANEL)
  async clone(
    @CurrentCaller() caller: Caller,
    @Param('id', PathId) id: Uuid,
    @Body() body: CloneServiceDto,
  ): Promise<RestoreDto> {
    return this.requests.clone(caller, await this.scope.of(caller), id, body);
  }
}

/** Restores by id. */
@ApiTags('Backups')
@Controller('api/v1/restores')
export class RestoresController {
  constructor(
    private readonly requests: RestoreRequests,
    private readonly scope: CallerScope,
  ) {}

  @GetRestore(PANEL)
  async get(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<RestoreDto> {
    return this.requests.get(await this.scope.of(caller), id);
  }
}
