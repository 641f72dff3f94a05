import { applyDecorators, Get, HttpCode, Patch } from '@nestjs/common';
import { ApiAcceptedResponse, ApiHeader, ApiOkResponse } from '@nestjs/swagger';
import type { RouteArea } from './route-area.js';
import { AcceptedServiceDto, ServiceDto } from './service.dto.js';
import { ServiceIdParam } from './service-id.decorator.js';
import { InArea, PAGE } from './service-routes.js';
import { ServiceSourceDto, ServiceVersionPageDto } from './version.dto.js';

export function UpdateService(area: RouteArea): MethodDecorator {
  return applyDecorators(
    Patch(':id'),
    HttpCode(202),
    InArea(area, {
      id: 'updateService',
      permission: 'services:update',
      errors: [409, 503],
      body: true,
      summary: 'Change a service',
      description:
        'Everything is checked before anything is stored. A new compose file, other variables or limits become a new ' +
        'version with a deployment of trigger `update` (202); if it fails, the service goes back to the version before. ' +
        'When nothing has to be deployed the answer is 200 with the service. Of two changes at once the last one wins, ' +
        'unless `If-Match` names the version that the caller knows: then the second one is 409.',
    }),
    ServiceIdParam(),
    ApiHeader({
      name: 'If-Match',
      required: false,
      description: 'The number of the newest version, as `GET /services/{id}/source` and `/versions` give it.',
      schema: { type: 'string', example: '"3"' },
    }),
    ApiOkResponse({ type: ServiceDto, description: 'The service. No deployment is needed.' }),
    ApiAcceptedResponse({
      type: AcceptedServiceDto,
      description: 'The new version is stored and its deployment scheduled.',
    }),
  );
}

export function ListServiceVersions(area: RouteArea): MethodDecorator {
  return applyDecorators(
    Get(':id/versions'),
    InArea(area, {
      id: 'listServiceVersions',
      permission: 'services:read',
      summary: 'List the versions of a service',
      description: 'Newest first, without their sources. To roll back, use the deployment of a version.',
    }),
    ServiceIdParam(),
    ...PAGE,
    ApiOkResponse({ type: ServiceVersionPageDto, description: 'A page of versions.' }),
  );
}

export function GetServiceSource(area: RouteArea): MethodDecorator {
  return applyDecorators(
    Get(':id/source'),
    InArea(area, {
      id: 'getServiceSource',
      permission: 'services.env:read',
      errors: [409],
      summary: 'Read the source of a service',
      description:
        'The compose file of the newest version, with the values of its variables masked. The look is recorded in the ' +
        'audit log. `ETag` holds the number of the version.',
    }),
    ServiceIdParam(),
    ApiOkResponse({ type: ServiceSourceDto, description: 'The source.' }),
  );
}
