import { applyDecorators, Get, HttpCode, Post } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiOperation, ApiQuery } from '@nestjs/swagger';
import type { Permission } from '#libs/panel-auth';
import { PanelRoute } from '../http/panel-route.decorator.js';
import { DeploymentPageDto } from './deployment.dto.js';
import type { RouteArea } from './route-area.js';
import { AcceptedServiceDto, ServiceDto, ServicePageDto, STATUS, ValidatedComposeDto } from './service.dto.js';
import { ServiceIdParam } from './service-id.decorator.js';
import { MAX_SEARCHED } from './service-requests.js';

/** The texts and the policy of a route, without its parameters and responses. */
export interface RouteText {
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  readonly permission: Permission;
  readonly errors?: number[];
  readonly body?: boolean;
}

/** The policy and the description of a route in its area. */
export function InArea(area: RouteArea, { id, summary, description, ...rest }: RouteText): MethodDecorator {
  return applyDecorators(
    PanelRoute({ reach: area.reach, ...rest }),
    ApiOperation({ operationId: area.operationId(id), summary, description }),
  );
}

export const PAGE = [
  ApiQuery({
    name: 'page',
    required: false,
    description: 'Page number, from 1. Invalid values count as 1.',
    schema: { type: 'integer', default: 1 },
    example: 1,
  }),
  ApiQuery({
    name: 'pageSize',
    required: false,
    description: 'Items per page, 1 to 100. Invalid values count as 20.',
    schema: { type: 'integer', default: 20 },
    example: 20,
  }),
];

export function ListServices(area: RouteArea, summary: string): MethodDecorator {
  return applyDecorators(
    Get(),
    InArea(area, {
      id: 'listServices',
      permission: 'services:read',
      errors: [422],
      summary,
      description: "Newest first, without the panel's own services.",
    }),
    ...PAGE,
    ApiQuery({ name: 'status', required: false, description: 'Only this status.', ...STATUS }),
    ApiQuery({
      name: 'search',
      required: false,
      schema: { type: 'string', maxLength: MAX_SEARCHED },
      description: 'Part of the name.',
    }),
    ApiOkResponse({ type: ServicePageDto, description: 'A page of services.' }),
  );
}

/** @param note a sentence for this area only, starting with a space */
export function CreateService(area: RouteArea, summary: string, note = ''): MethodDecorator {
  return applyDecorators(
    Post(),
    HttpCode(202),
    InArea(area, {
      id: 'createService',
      permission: 'services:create',
      errors: [409, 503],
      body: true,
      summary,
      description:
        'The whole file is checked, and one 422 lists every error in it. 202 means that the deployment is accepted, ' +
        "not that the application is ready: read the service's deployments for the outcome. A service that exceeds " +
        `the quota of its organisation, or of one above it, is 409 \`conflict\`.${note}`,
    }),
    ApiAcceptedResponse({
      type: AcceptedServiceDto,
      description: 'The service is stored and its deployment scheduled.',
    }),
  );
}

export function ValidateCompose(area: RouteArea): MethodDecorator {
  return applyDecorators(
    Post('validate'),
    HttpCode(200),
    InArea(area, {
      id: 'validateCompose',
      permission: 'services:create',
      errors: [503],
      body: true,
      summary: 'Validate a compose file',
      description:
        'Runs the same checks as creating a service, and stores nothing. A 422 lists every error with its ' +
        'JSON pointer into the file; the list is never truncated.',
    }),
    ApiOkResponse({ type: ValidatedComposeDto, description: 'The file would be accepted.' }),
  );
}

export function GetService(area: RouteArea): MethodDecorator {
  return applyDecorators(
    Get(':id'),
    InArea(area, {
      id: 'getService',
      permission: 'services:read',
      summary: 'Read a service',
      description: 'The service in its current state.',
    }),
    ServiceIdParam(),
    ApiOkResponse({ type: ServiceDto, description: 'The service.' }),
  );
}

export function ListDeployments(area: RouteArea): MethodDecorator {
  return applyDecorators(
    Get(':id/deployments'),
    InArea(area, {
      id: 'listDeployments',
      permission: 'deployments:read',
      summary: 'List the deployments of a service',
      description: 'Newest first. Every accepted action creates a deployment.',
    }),
    ServiceIdParam(),
    ...PAGE,
    ApiOkResponse({ type: DeploymentPageDto, description: 'A page of deployments.' }),
  );
}
