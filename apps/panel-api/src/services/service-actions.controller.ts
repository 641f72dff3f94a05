import { applyDecorators, Body, Controller, Delete, HttpCode, Param, Post } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Uuid } from '#kernel/uuid';
import { parseUuid } from '#kernel/uuid';
import { NotFound } from '#kernel/errors';
import { actorOf, type Caller, type Permission } from '#libs/panel-auth';
import { ServiceControl, type AcceptedAction, type ServiceAction } from '#libs/services';
import { CurrentCaller } from '../http/caller.decorator.js';
import { PanelRoute } from '../http/panel-route.decorator.js';
import { PathId } from '../http/path-values.js';
import { CallerScope } from './caller-scope.js';
import { RollbackDto } from './deployment.dto.js';
import { AcceptedActionDto, RemovingServiceDto } from './service.dto.js';
import { ServiceIdParam } from './service-id.decorator.js';

const NAMES: Readonly<Record<ServiceAction, string>> = {
  start: 'start',
  stop: 'stop',
  restart: 'restart',
  redeploy: 'redeployment',
  rollback: 'rollback',
  suspend: 'suspension',
  unsuspend: 'end of the suspension',
  reconcile: 'reconciliation',
  remove: 'removal',
};

/** A route that schedules an operation: 202 means accepted, and the deployment tells how it went. */
function Action(path: string, permission: Permission, operation: { id: string; summary: string; description: string }) {
  return applyDecorators(
    Post(`:id/${path}`),
    HttpCode(202),
    PanelRoute({ reach: 'panel', permission, errors: [409], body: path === 'rollback' }),
    ApiOperation({ operationId: operation.id, summary: operation.summary, description: operation.description }),
    ServiceIdParam(),
    ApiAcceptedResponse({ type: AcceptedActionDto, description: 'It is scheduled.' }),
  );
}

@ApiTags('Services')
@Controller('api/v1/services')
export class ServiceActionsController {
  constructor(
    private readonly control: ServiceControl,
    private readonly scope: CallerScope,
  ) {}

  @Action('start', 'services:control', {
    id: 'startService',
    summary: 'Start a service',
    description: 'From stopped and error; a running one is left alone, with `deploymentId` null.',
  })
  start(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<AcceptedActionDto> {
    return this.act(caller, id, 'start');
  }

  @Action('stop', 'services:control', {
    id: 'stopService',
    summary: 'Stop a service',
    description: 'Its containers stop in reverse order and stay.',
  })
  stop(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<AcceptedActionDto> {
    return this.act(caller, id, 'stop');
  }

  @Action('restart', 'services:control', {
    id: 'restartService',
    summary: 'Restart a service',
    description: 'The same containers stop and start again.',
  })
  restart(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<AcceptedActionDto> {
    return this.act(caller, id, 'restart');
  }

  @Action('redeploy', 'services:deploy', {
    id: 'redeployService',
    summary: 'Deploy a service again',
    description:
      'Images are always pulled. The containers of before come back when the new ones do not prove themselves. Asked ' +
      'again while it waits, the waiting one is returned.',
  })
  redeploy(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<AcceptedActionDto> {
    return this.act(caller, id, 'redeploy');
  }

  @Action('rollback', 'services:deploy', {
    id: 'rollbackService',
    summary: 'Go back to an earlier deployment',
    description: 'With its images, by digest, and its specification.',
  })
  async rollback(
    @CurrentCaller() caller: Caller,
    @Param('id', PathId) id: Uuid,
    @Body() body: RollbackDto,
  ): Promise<AcceptedActionDto> {
    const deploymentId = parseUuid(body.deploymentId);
    if (!deploymentId) throw new NotFound();
    const scope = await this.scope.of(caller);
    return told('rollback', await this.control.rollback(scope, id, deploymentId, actorOf(caller)));
  }

  @Action('suspend', 'services:suspend', {
    id: 'suspendService',
    summary: 'Suspend a service',
    description: 'It stops, and nothing but `unsuspend` and `DELETE` is allowed until it is unsuspended.',
  })
  suspend(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<AcceptedActionDto> {
    return this.act(caller, id, 'suspend');
  }

  @Action('unsuspend', 'services:suspend', {
    id: 'unsuspendService',
    summary: 'End a suspension',
    description: 'The service runs again, if it did before.',
  })
  unsuspend(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<AcceptedActionDto> {
    return this.act(caller, id, 'unsuspend');
  }

  @Action('reconcile', 'services:deploy', {
    id: 'reconcileService',
    summary: 'Bring a service in order',
    description: 'Makes on the engine what should be there, and unlocks the service.',
  })
  reconcile(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<AcceptedActionDto> {
    return this.act(caller, id, 'reconcile');
  }

  @Delete(':id')
  @HttpCode(202)
  @PanelRoute({ reach: 'panel', permission: 'services:delete' })
  @ApiOperation({
    operationId: 'deleteService',
    summary: 'Delete a service',
    description: 'Accepted in every status. Containers, networks and volumes go; then the service answers 404.',
  })
  @ServiceIdParam()
  @ApiAcceptedResponse({ type: RemovingServiceDto, description: 'The removal is scheduled.' })
  async remove(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<RemovingServiceDto> {
    await this.control.act(await this.scope.of(caller), id, 'remove', actorOf(caller));
    return { status: 'removing', message: 'The removal is scheduled; volumes are deleted with the service.' };
  }

  private async act(caller: Caller, id: Uuid, action: Exclude<ServiceAction, 'rollback'>): Promise<AcceptedActionDto> {
    return told(action, await this.control.act(await this.scope.of(caller), id, action, actorOf(caller)));
  }
}

function told(action: ServiceAction, accepted: AcceptedAction): AcceptedActionDto {
  const message =
    accepted.deploymentId === null ? 'There is nothing to do.' : `The ${NAMES[action]} of the service is scheduled.`;
  return { ...accepted, message };
}
