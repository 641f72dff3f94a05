import { applyDecorators, Get, HttpCode, Post } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiOperation, ApiParam } from '@nestjs/swagger';
import { PanelRoute } from '../http/panel-route.decorator.js';
import type { RouteArea } from '../services/route-area.js';
import { AcceptedServiceDto } from '../services/service.dto.js';
import { InArea } from '../services/service-routes.js';
import { TemplateDto, TemplateListDto } from './template.dto.js';

const TemplateIdParam = () => ApiParam({ name: 'id', format: 'uuid', example: '6f0c4b52-8a1e-4c39-9d56-0a1f5e7c1001' });

export function ListTemplates(area: RouteArea): MethodDecorator {
  return applyDecorators(
    Get(),
    PanelRoute({ reach: area.reach, permission: 'templates:read' }),
    ApiOperation({
      operationId: area.operationId('listTemplates'),
      summary: 'List the database templates',
      description: 'Ready-made databases, with the variables that each takes.',
    }),
    ApiOkResponse({ type: TemplateListDto, description: 'All templates.' }),
  );
}

export function GetTemplate(area: RouteArea): MethodDecorator {
  return applyDecorators(
    Get(':id'),
    InArea(area, {
      id: 'getTemplate',
      permission: 'templates:read',
      errors: [404],
      summary: 'Read a template',
      description: "Takes the template's id; a slug returns 404.",
    }),
    TemplateIdParam(),
    ApiOkResponse({ type: TemplateDto, description: 'The template.' }),
  );
}

export function DeployTemplate(area: RouteArea): MethodDecorator {
  return applyDecorators(
    Post(':id/deploy'),
    HttpCode(202),
    InArea(area, {
      id: 'deployTemplate',
      permission: 'templates:deploy',
      errors: [404, 409, 503],
      body: true,
      summary: 'Deploy a database',
      description:
        "Memory below the template's minimum is 422 `resource_below_minimum`; a host name already in use on " +
        "the organisation's network is 409 `service_name_taken`. Passwords are generated unless given. Only " +
        '`POST /services/{id}/credentials/reveal` returns them.',
    }),
    TemplateIdParam(),
    ApiAcceptedResponse({
      type: AcceptedServiceDto,
      description: 'The service is stored and its deployment scheduled.',
    }),
  );
}
