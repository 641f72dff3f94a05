import { applyDecorators, Delete, Get, HttpCode, Post } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiParam,
} from '@nestjs/swagger';
import type { RouteArea } from '../services/route-area.js';
import { AcceptedActionDto, AcceptedServiceDto } from '../services/service.dto.js';
import { ServiceIdParam } from '../services/service-id.decorator.js';
import { InArea } from '../services/service-routes.js';
import { DeliveryAnswerDto, HookDeliveriesDto, HookDto, MadeHookDto } from './hook.dto.js';

export function CreateGitService(area: RouteArea): MethodDecorator {
  return applyDecorators(
    Post('git'),
    HttpCode(202),
    InArea(area, {
      id: 'createGitService',
      permission: 'services:create',
      errors: [409, 503],
      body: true,
      summary: 'Deploy a repository',
      description:
        'A worker clones, builds and runs the repository; 202 means that this is scheduled. Follow the ' +
        'deployment and its log for the outcome. If the clone or the build fails, the running containers are ' +
        'not affected.',
    }),
    ApiAcceptedResponse({
      type: AcceptedServiceDto,
      description: 'The service is stored and its deployment scheduled.',
    }),
  );
}

export function DeployRef(area: RouteArea): MethodDecorator {
  return applyDecorators(
    Post(':id/deploy'),
    HttpCode(202),
    InArea(area, {
      id: 'deployService',
      permission: 'services:deploy',
      errors: [409],
      body: true,
      summary: 'Deploy the newest commit, or a given one',
      description:
        'For services from a repository. Fetches the newest commit of the branch, or `ref`. To deploy the ' +
        'current commit again, use `redeploy`.',
    }),
    ServiceIdParam(),
    ApiAcceptedResponse({ type: AcceptedActionDto, description: 'The deployment is scheduled.' }),
  );
}

export function MakeHook(area: RouteArea): MethodDecorator {
  return applyDecorators(
    Post(':id/hook'),
    HttpCode(201),
    InArea(area, {
      id: 'makeServiceHook',
      permission: 'services:update',
      errors: [409, ...area.errors],
      summary: 'Create the push hook of a service, or replace its secret',
      description:
        'The secret is shown in this response only. Calling this again keeps the URL and invalidates the old ' +
        'secret at once.',
    }),
    ServiceIdParam(),
    ApiCreatedResponse({ type: MadeHookDto, description: 'The hook with its secret.' }),
  );
}

export function GetHook(area: RouteArea): MethodDecorator {
  return applyDecorators(
    Get(':id/hook'),
    InArea(area, {
      id: 'getServiceHook',
      permission: 'services:read',
      errors: [409],
      summary: 'Read the push hook of a service',
      description: 'The secret is not included.',
    }),
    ServiceIdParam(),
    ApiOkResponse({ type: HookDto, description: 'The hook.' }),
  );
}

export function DeleteHook(area: RouteArea): MethodDecorator {
  return applyDecorators(
    Delete(':id/hook'),
    HttpCode(204),
    InArea(area, {
      id: 'deleteServiceHook',
      permission: 'services:update',
      errors: [409, ...area.errors],
      summary: 'Delete the push hook of a service',
      description: 'Pushes are no longer deployed.',
    }),
    ServiceIdParam(),
    ApiNoContentResponse({ description: 'The hook was deleted.' }),
  );
}

export function ListDeliveries(area: RouteArea): MethodDecorator {
  return applyDecorators(
    Get(':id/hook-deliveries'),
    InArea(area, {
      id: 'listHookDeliveries',
      permission: 'deployments:read',
      errors: [409],
      summary: 'List the deliveries to the push hook',
      description: 'The last 50 deliveries, newest first, each with its outcome.',
    }),
    ServiceIdParam(),
    ApiOkResponse({ type: HookDeliveriesDto, description: 'The deliveries.' }),
  );
}

export function Redeliver(area: RouteArea): MethodDecorator {
  return applyDecorators(
    Post(':id/hook-deliveries/:deliveryId/redeliver'),
    HttpCode(202),
    InArea(area, {
      id: 'redeliverHookDelivery',
      permission: 'services:deploy',
      errors: [409, ...area.errors],
      summary: 'Repeat a delivery of a push',
      description:
        'Handles a delivery again, for example one that was ignored or refused, or whose deployment failed. Its commit ' +
        'is deployed even if it was deployed before. `watch_paths` are not applied, because the changed paths of a ' +
        'push are not stored.',
    }),
    ServiceIdParam(),
    ApiParam({ name: 'deliveryId', format: 'uuid', example: '6f6c1d7e-52a5-4a53-9c39-2c6a5c1f0a11' }),
    ApiAcceptedResponse({
      type: DeliveryAnswerDto,
      description: 'The outcome. It is listed as a delivery of its own.',
    }),
  );
}
