import { applyDecorators, Delete, Get, HttpCode, Post, UseGuards } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiParam } from '@nestjs/swagger';
import type { Permission } from '#libs/panel-auth';
import type { ServiceAction } from '#libs/services';
import { DeploymentDto } from './deployment.dto.js';
import { NoBodyGuard } from './no-body.guard.js';
import type { RouteArea } from './route-area.js';
import { AcceptedActionDto, RemovingServiceDto } from './service.dto.js';
import { ServiceIdParam } from './service-id.decorator.js';
import { InArea } from './service-routes.js';

interface ActionText {
  readonly permission: Permission;
  readonly summary: string;
  readonly description: string;
}

const ACTIONS: Readonly<Record<Exclude<ServiceAction, 'update' | 'remove'>, ActionText>> = {
  start: {
    permission: 'services:control',
    summary: 'Start a service',
    description: 'From stopped and error; a running one is left alone, with `deploymentId` null.',
  },
  stop: {
    permission: 'services:control',
    summary: 'Stop a service',
    description: 'Its containers stop in reverse order and stay.',
  },
  restart: {
    permission: 'services:control',
    summary: 'Restart a service',
    description: 'The same containers stop and start again. A stopped service is started.',
  },
  redeploy: {
    permission: 'services:deploy',
    summary: 'Deploy a service again',
    description:
      'Images are always pulled. The containers of before come back when the new ones do not prove themselves. Asked ' +
      'again while it waits, the waiting one is returned.',
  },
  rollback: {
    permission: 'services:deploy',
    summary: 'Go back to an earlier deployment',
    description: 'With its images, by digest, and its specification.',
  },
  suspend: {
    permission: 'services:suspend',
    summary: 'Suspend a service',
    description: 'It stops, and nothing but `unsuspend` and `DELETE` is allowed until it is unsuspended.',
  },
  unsuspend: {
    permission: 'services:suspend',
    summary: 'End a suspension',
    description:
      'The service runs again, if it did before. One that is not suspended is left alone, with `deploymentId` null.',
  },
  reconcile: {
    permission: 'services:deploy',
    summary: 'Bring a service in order',
    description: 'Makes on the engine what should be there, and unlocks the service.',
  },
};

/** A route that schedules an operation: 202 means accepted, and the deployment tells how it went. */
export function ActOnService(area: RouteArea, action: Exclude<ServiceAction, 'update' | 'remove'>): MethodDecorator {
  return applyDecorators(
    Post(`:id/${action}`),
    HttpCode(202),
    InArea(area, {
      id: `${action}Service`,
      errors: [409, ...(action === 'redeploy' ? [422] : area.errors)],
      body: action === 'rollback',
      ...ACTIONS[action],
    }),
    ServiceIdParam(),
    ...(action === 'redeploy' ? [UseGuards(NoBodyGuard)] : []),
    ApiAcceptedResponse({ type: AcceptedActionDto, description: 'It is scheduled.' }),
  );
}

export function DeleteService(area: RouteArea): MethodDecorator {
  return applyDecorators(
    Delete(':id'),
    HttpCode(202),
    InArea(area, {
      ...{ id: 'deleteService', permission: 'services:delete', errors: [...area.errors] },
      summary: 'Delete a service',
      description: 'Accepted in every status. Containers, networks and volumes go; then the service answers 404.',
    }),
    ServiceIdParam(),
    ApiAcceptedResponse({ type: RemovingServiceDto, description: 'The removal is scheduled.' }),
  );
}

export function CancelDeployment(area: RouteArea): MethodDecorator {
  return applyDecorators(
    Post(':id/cancel'),
    HttpCode(202),
    InArea(area, {
      ...{ id: 'cancelDeployment', permission: 'deployments:cancel', errors: [409, ...area.errors] },
      summary: 'Give a deployment up',
      description:
        'One that waits is cancelled at once. One that runs ends at its next step; if containers were replaced already, ' +
        'those of before come back, and a start or restart goes back to what was. What stops or deletes a service cannot be cancelled.',
    }),
    ApiParam({ name: 'id', format: 'uuid', example: '6f6c1d7e-52a5-4a53-9c39-2c6a5c1f0a11' }),
    ApiAcceptedResponse({ type: DeploymentDto, description: 'The deployment as it stands now.' }),
  );
}

export function GetDeployment(area: RouteArea): MethodDecorator {
  return applyDecorators(
    Get(':id'),
    InArea(area, {
      id: 'getDeployment',
      permission: 'deployments:read',
      summary: 'One deployment',
      description: 'The record with all its steps.',
    }),
    ApiParam({ name: 'id', format: 'uuid', example: '6f6c1d7e-52a5-4a53-9c39-2c6a5c1f0a11' }),
    ApiOkResponse({ type: DeploymentDto, description: 'The deployment.' }),
  );
}
