import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Uuid } from '#kernel/crypto/uuid';
import type { Caller } from '#libs/panel-auth';
import type { ServiceAction } from '#libs/services';
import { ServiceRemoval } from '../backups/service-removal.js';
import { CurrentCaller } from '../http/caller.decorator.js';
import { PathId } from '../http/path-values.js';
import { ActOnService, DeleteService } from './action-routes.js';
import { CallerScope } from './caller-scope.js';
import { RollbackDto } from './deployment.dto.js';
import { PANEL } from './route-area.js';
import type { AcceptedActionDto, RemovingServiceDto } from './service.dto.js';
import { ServiceRequests } from './service-requests.js';

@ApiTags('Services')
@Controller('api/v1/services')
export class ServiceActionsController {
  constructor(
    private readonly requests: ServiceRequests,
    private readonly scope: CallerScope,
    private readonly removal: ServiceRemoval,
  ) {}

  @ActOnService(PANEL, 'start')
  start(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<AcceptedActionDto> {
    return this.act(caller, id, 'start');
  }

  @ActOnService(PANEL, 'stop')
  stop(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<AcceptedActionDto> {
    return this.act(caller, id, 'stop');
  }

  @ActOnService(PANEL, 'restart')
  restart(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<AcceptedActionDto> {
    return this.act(caller, id, 'restart');
  }

  @ActOnService(PANEL, 'redeploy')
  redeploy(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<AcceptedActionDto> {
    return this.act(caller, id, 'redeploy');
  }

  @ActOnService(PANEL, 'rollback')
  async rollback(
    @CurrentCaller() caller: Caller,
    @Param('id', PathId) id: Uuid,
    @Body() body: RollbackDto,
  ): Promise<AcceptedActionDto> {
    return this.requests.rollback(caller, await this.scope.of(caller), id, body);
  }

  @ActOnService(PANEL, 'suspend')
  suspend(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<AcceptedActionDto> {
    return this.act(caller, id, 'suspend');
  }

  @ActOnService(PANEL, 'unsuspend')
  unsuspend(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<AcceptedActionDto> {
    return this.act(caller, id, 'unsuspend');
  }

  @ActOnService(PANEL, 'reconcile')
  reconcile(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<AcceptedActionDto> {
    return this.act(caller, id, 'reconcile');
  }

  @DeleteService(PANEL)
  async remove(
    @CurrentCaller() caller: Caller,
    @Param('id', PathId) id: Uuid,
    @Query('backups') backups: unknown,
  ): Promise<RemovingServiceDto> {
    return this.removal.remove(caller, await this.scope.of(caller), id, backups, caller.permissions);
  }

  private async act(caller: Caller, id: Uuid, action: Exclude<ServiceAction, 'update' | 'rollback' | 'remove'>) {
    return this.requests.act(caller, await this.scope.of(caller), id, action);
  }
}
