import { Body, Param, Query } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import type { Caller } from '#libs/panel-auth';
import { CurrentCaller } from '../http/caller.decorator.js';
import { PathId } from '../http/path-values.js';
import { CallerScope } from '../services/caller-scope.js';
import { PORTAL } from '../services/route-area.js';
import { RestoreRequests } from '../backups/restore-requests.js';
import { CloneService, GetRecoveryWindow, GetRestore, ListRestores, RestoreBackup } from '../backups/restore-routes.js';
import {
  CloneServiceDto,
  type RecoveryWindowDto,
  RestoreBackupDto,
  type RestoreDto,
  type RestorePageDto,
} from '../backups/restore.dto.js';
import { PortalController } from './portal-controller.decorator.js';

type Given = Readonly<Record<string, unknown>>;

/** Restores of databases of the caller's organisation. */
@PortalController('services')
export class PortalServiceRestoresController {
  constructor(
    private readonly requests: RestoreRequests,
    private readonly scope: CallerScope,
  ) {}

  @RestoreBackup(PORTAL)
  async restore(
    @CurrentCaller() caller: Caller,
    @Param('id', PathId) id: Uuid,
    @Body() body: RestoreBackupDto,
  ): Promise<RestoreDto> {
    return this.requests.restore(caller, await this.scope.ofHome(caller), id, body);
  }

  @ListRestores(PORTAL)
  async list(
    @CurrentCaller() caller: Caller,
    @Param('id', PathId) id: Uuid,
    @Query() query: Given,
  ): Promise<RestorePageDto> {
    return this.requests.list(await this.scope.ofHome(caller), id, query);
  }

  @GetRecoveryWindow(PORTAL)
  async window(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<RecoveryWindowDto> {
    return this.requests.window(await this.scope.ofHome(caller), id);
  }

  @CloneService(PORTAL)
  async clone(
    @CurrentCaller() caller: Caller,
    @Param('id', PathId) id: Uuid,
    @Body() body: CloneServiceDto,
  ): Promise<RestoreDto> {
    return this.requests.clone(caller, await this.scope.ofHome(caller), id, body);
  }
}

/** Restores of the caller's organisation by id. */
@PortalController('restores')
export class PortalRestoresController {
  constructor(
    private readonly requests: RestoreRequests,
    private readonly scope: CallerScope,
  ) {}

  @GetRestore(PORTAL)
  async get(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<RestoreDto> {
    return this.requests.get(await this.scope.ofHome(caller), id);
  }
}
