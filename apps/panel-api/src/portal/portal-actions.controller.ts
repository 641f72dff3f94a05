import { Body, Param, Query } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import type { Caller } from '#libs/panel-auth';
import type { ServiceAction } from '#libs/services';
import { ServiceRemoval } from '../backups/service-removal.js';
import { CurrentCaller } from '../http/caller.decorator.js';
import { PathId } from '../http/path-values.js';
import {
  ActOnService,
  CancelDeployment,
  DeleteService,
  GetDeployment,
  GetDeploymentLog,
} from '../services/action-routes.js';
import { CallerScope } from '../services/caller-scope.js';
import type { DeploymentLogDto } from '../services/deployment-log.dto.js';
import { RollbackDto, type DeploymentDto } from '../services/deployment.dto.js';
import { PORTAL } from '../services/route-area.js';
import type { AcceptedActionDto, RemovingServiceDto } from '../services/service.dto.js';
import { ServiceRequests } from '../services/service-requests.js';
import { PortalController } from './portal-controller.decorator.js';

/** Actions of customers on their services. Only administrators can suspend one, so there is no such route. */
@PortalController('services')
export class PortalActionsController {
  constructor(
    private readonly requests: ServiceRequests,
    private readonly scope: CallerScope,
    private readonly removal: ServiceRemoval,
  ) {}

  @ActOnService(PORTAL, 'start')
  start(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<AcceptedActionDto> {
    return this.act(caller, id, 'start');
  }

  @ActOnService(PORTAL, 'stop')
  stop(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<AcceptedActionDto> {
    return this.act(caller, id, 'stop');
  }

  @ActOnService(PORTAL, 'restart')
  restart(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<AcceptedActionDto> {
    return this.act(caller, id, 'restart');
  }

  @ActOnService(PORTAL, 'redeploy')
  redeploy(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<AcceptedActionDto> {
    return this.act(caller, id, 'redeploy');
  }

  @ActOnService(PORTAL, 'rollback')
  async rollback(
    @CurrentCaller() caller: Caller,
    @Param('id', PathId) id: Uuid,
    @Body() body: RollbackDto,
  ): Promise<AcceptedActionDto> {
    return this.requests.rollback(caller, await this.scope.ofHome(caller), id, body);
  }

  @ActOnService(PORTAL, 'reconcile')
  reconcile(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<AcceptedActionDto> {
    return this.act(caller, id, 'reconcile');
  }

  @DeleteService(PORTAL)
  async remove(
    @CurrentCaller() caller: Caller,
    @Param('id', PathId) id: Uuid,
    @Query('backups') backups: unknown,
  ): Promise<RemovingServiceDto> {
    return this.removal.remove(caller, await this.scope.ofHome(caller), id, backups, caller.permissionsAtHome);
  }

  private async act(caller: Caller, id: Uuid, action: Exclude<ServiceAction, 'update' | 'rollback' | 'remove'>) {
    return this.requests.act(caller, await this.scope.ofHome(caller), id, action);
  }
}

@PortalController('deployments')
export class PortalDeploymentsController {
  constructor(
    private readonly requests: ServiceRequests,
    private readonly scope: CallerScope,
  ) {}

  @GetDeployment(PORTAL)
  async get(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<DeploymentDto> {
    return this.requests.deployment(await this.scope.ofHome(caller), id);
  }

  @GetDeploymentLog(PORTAL)
  async log(
    @CurrentCaller() caller: Caller,
    @Param('id', PathId) id: Uuid,
    @Query() query: Record<string, unknown>,
  ): Promise<DeploymentLogDto> {
    return this.requests.log(await this.scope.ofHome(caller), id, query);
  }

  @CancelDeployment(PORTAL)
  async cancel(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<DeploymentDto> {
    return this.requests.cancel(await this.scope.ofHome(caller), id);
  }
}
