import { applyDecorators, Delete, Get, HttpCode, Post } from '@nestjs/common';
import { ApiAcceptedResponse, ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse } from '@nestjs/swagger';
import type { RouteArea } from '../services/route-area.js';
import { AcceptedActionDto, AcceptedServiceDto } from '../services/service.dto.js';
import { ServiceIdParam } from '../services/service-id.decorator.js';
import { InArea } from '../services/service-routes.js';
import { HookDeliveriesDto, HookDto, MadeHookDto } from './hook.dto.js';

export function CreateGitService(area: RouteArea): MethodDecorator {
  return applyDecorators(
    Post('git'),
    HttpCode(202),
    InArea(area, {
      ...{ id: 'createGitService', permission: 'services:create', errors: [409, 503], body: true },
      summary: 'Deploy a repository',
      description:
        'The repository is cloned, built and run by a worker; 202 says that this is scheduled. How it goes stands in the ' +
        'deployment and its log. A clone or build that fails leaves what runs as it is.',
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
      ...{ id: 'deployService', permission: 'services:deploy', errors: [409], body: true },
      summary: 'Deploy the newest commit, or a certain one',
      description:
        'For services from a repository. Fetches the newest commit of the branch, or `ref`. `redeploy` deploys the commit ' +
        'that is deployed.',
    }),
    ServiceIdParam(),
    ApiAcceptedResponse({ type: AcceptedActionDto, description: 'It is scheduled.' }),
  );
}

export function MakeHook(area: RouteArea): MethodDecorator {
  return applyDecorators(
    Post(':id/hook'),
    HttpCode(201),
    InArea(area, {
      ...{ id: 'makeServiceHook', permission: 'services:update', errors: [409, ...area.errors] },
      summary: 'Make the push hook of a service, or give it a new secret',
      description:
        'The secret stands in this one answer. Made again, the address stays and the old secret ends at once.',
    }),
    ServiceIdParam(),
    ApiCreatedResponse({ type: MadeHookDto, description: 'The hook with its secret.' }),
  );
}

export function GetHook(area: RouteArea): MethodDecorator {
  return applyDecorators(
    Get(':id/hook'),
    InArea(area, {
      ...{ id: 'getServiceHook', permission: 'services:read', errors: [409] },
      ...{ summary: 'The push hook of a service', description: 'Without its secret.' },
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
      ...{ id: 'deleteServiceHook', permission: 'services:update', errors: [409, ...area.errors] },
      ...{ summary: 'Take the push hook of a service away', description: 'Pushes are no longer deployed.' },
    }),
    ServiceIdParam(),
    ApiNoContentResponse({ description: 'It is gone.' }),
  );
}

export function ListDeliveries(area: RouteArea): MethodDecorator {
  return applyDecorators(
    Get(':id/hook-deliveries'),
    InArea(area, {
      ...{ id: 'listHookDeliveries', permission: 'deployments:read', errors: [409] },
      summary: 'What was delivered to the push hook',
      description: 'The last 50, newest first, each with what came of it.',
    }),
    ServiceIdParam(),
    ApiOkResponse({ type: HookDeliveriesDto, description: 'The deliveries.' }),
  );
}
