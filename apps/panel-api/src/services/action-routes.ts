import { applyDecorators, Delete, Get, HttpCode, Post, UseGuards } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiParam, ApiQuery } from '@nestjs/swagger';
import type { Permission } from '#libs/panel-auth';
import type { ServiceAction } from '#libs/services';
import { DeploymentLogDto } from './deployment-log.dto.js';
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
    description:
      'Allowed in the statuses `stopped` and `error`. A running service is left unchanged, and ' +
      '`deploymentId` is null.',
  },
  stop: {
    permission: 'services:control',
    summary: 'Stop a service',
    description: 'Stops the containers in reverse order and keeps them.',
  },
  restart: {
    permission: 'services:control',
    summary: 'Restart a service',
    description: 'Stops and starts the same containers. A stopped service is started.',
  },
  redeploy: {
    permission: 'services:deploy',
    summary: 'Redeploy a service',
    description:
      'Always pulls the images. If the new containers fail their health check, the previous ones are ' +
      'restored. If a redeployment is already waiting, it is returned.',
  },
  rollback: {
    permission: 'services:deploy',
    summary: 'Roll back to an earlier deployment',
    description: 'Deploys the images (by digest) and the specification of an earlier deployment.',
  },
  suspend: {
    permission: 'services:suspend',
    summary: 'Suspend a service',
    description: 'The service stops. Until it is unsuspended, only `unsuspend` and `DELETE` are allowed.',
  },
  unsuspend: {
    permission: 'services:suspend',
    summary: 'Unsuspend a service',
    description:
      'The service runs again if it was running before. A service that is not suspended is left unchanged, ' +
      'and `deploymentId` is null.',
  },
  reconcile: {
    permission: 'services:deploy',
    summary: 'Reconcile a service',
    description: 'Restores the desired state on the engine and unlocks the service.',
  },
};

/** A route that schedules an operation. 202 means accepted; the deployment has the outcome. */
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
    ApiAcceptedResponse({ type: AcceptedActionDto, description: 'The action is scheduled.' }),
  );
}

export function DeleteService(area: RouteArea): MethodDecorator {
  return applyDecorators(
    Delete(':id'),
    HttpCode(202),
    InArea(area, {
      id: 'deleteService',
      permission: 'services:delete',
      errors: [422],
      summary: 'Delete a service',
      description:
        'Allowed in every status. Containers, networks and volumes are removed, then the service returns 404. ' +
        'Its backups are kept until they expire. `backups=delete` deletes them too and requires `backups:delete`.',
    }),
    ServiceIdParam(),
    ApiQuery({ name: 'backups', required: false, enum: ['keep', 'delete'], enumName: 'BackupsOfDeletedService' }),
    ApiAcceptedResponse({ type: RemovingServiceDto, description: 'The removal is scheduled.' }),
  );
}

export function CancelDeployment(area: RouteArea): MethodDecorator {
  return applyDecorators(
    Post(':id/cancel'),
    HttpCode(202),
    InArea(area, {
      id: 'cancelDeployment',
      permission: 'deployments:cancel',
      errors: [409, ...area.errors],
      summary: 'Cancel a deployment',
      description:
        'A waiting deployment is cancelled at once. A running one ends at its next step; if containers were ' +
        'already replaced, the previous ones are restored, and a start or restart is undone. A stop or a ' +
        'deletion cannot be cancelled.',
    }),
    ApiParam({ name: 'id', format: 'uuid', example: '6f6c1d7e-52a5-4a53-9c39-2c6a5c1f0a11' }),
    ApiAcceptedResponse({ type: DeploymentDto, description: 'The deployment in its current state.' }),
  );
}

export function GetDeployment(area: RouteArea): MethodDecorator {
  return applyDecorators(
    Get(':id'),
    InArea(area, {
      id: 'getDeployment',
      permission: 'deployments:read',
      summary: 'Read a deployment',
      description: 'The deployment with all its steps.',
    }),
    ApiParam({ name: 'id', format: 'uuid', example: '6f6c1d7e-52a5-4a53-9c39-2c6a5c1f0a11' }),
    ApiOkResponse({ type: DeploymentDto, description: 'The deployment.' }),
  );
}

export function GetDeploymentLog(area: RouteArea): MethodDecorator {
  return applyDecorators(
    Get(':id/log'),
    InArea(area, {
      id: 'getDeploymentLog',
      permission: 'services.logs:read',
      errors: [422],
      summary: 'Read the log of a deployment',
      description:
        'The steps, what was pulled and built, and for every failed container its last 100 lines and the ' +
        'output of its last probe. Kept permanently; of a log above 256 KiB, the first and the last part. The ' +
        "service's secrets are redacted.",
    }),
    ApiParam({ name: 'id', format: 'uuid', example: '6f6c1d7e-52a5-4a53-9c39-2c6a5c1f0a11' }),
    ApiQuery({
      name: 'since',
      required: false,
      schema: { type: 'integer' },
      description: 'Only lines after this `n`.',
    }),
    ApiQuery({
      name: 'tail',
      required: false,
      schema: { type: 'integer' },
      description: 'At most this many lines, the newest.',
    }),
    ApiOkResponse({ type: DeploymentLogDto, description: 'The lines.' }),
  );
}
