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
        'Everything is checked before anything is stored. A changed compose file, variable or limit creates a ' +
        'new version and a deployment with trigger `update` (202); if it fails, the service returns to the ' +
        'previous version. For a service from a repository the fields in snake_case change its source, and null sets ' +
        'a field to its default. If nothing has to be deployed, the response is 200 with the service. Of two ' +
        'concurrent changes the last one wins. To prevent that, send `If-Match` with the version that you ' +
        'know: then the second change gets 409.',
    }),
    ServiceIdParam(),
    ApiHeader({
      name: 'If-Match',
      required: false,
      description: 'The number of the newest version, as in `GET /services/{id}/source` and `/versions`.',
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
        'The compose file of the newest version, with the values of its variables masked. Each read is ' +
        'recorded in the audit log. `ETag` is the number of the version.',
    }),
    ServiceIdParam(),
    ApiOkResponse({ type: ServiceSourceDto, description: 'The source.' }),
  );
}
