import { applyDecorators, Get, Patch } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import type { RouteArea } from '../services/route-area.js';
import { ServiceIdParam } from '../services/service-id.decorator.js';
import { InArea } from '../services/service-routes.js';
import { GitSettingsDto } from './git-settings.dto.js';

export function GetGitSettings(area: RouteArea): MethodDecorator {
  return applyDecorators(
    Get(':id/git-settings'),
    InArea(area, {
      id: 'getGitSettings',
      permission: 'services:read',
      errors: [409],
      summary: 'Read what a service has chosen about its Git host',
      description: 'Previews of pull requests, and commit statuses.',
    }),
    ServiceIdParam(),
    ApiOkResponse({ type: GitSettingsDto, description: 'The settings.' }),
  );
}

export function ChangeGitSettings(area: RouteArea): MethodDecorator {
  return applyDecorators(
    Patch(':id/git-settings'),
    InArea(area, {
      id: 'changeGitSettings',
      permission: 'services:update',
      errors: [409],
      body: true,
      summary: 'Change what a service has chosen about its Git host',
      description:
        'Omitted fields keep their values. Nothing is deployed. Turning previews off removes those that exist. The ' +
        'hook of the service has to receive the events of pull requests too.',
    }),
    ServiceIdParam(),
    ApiOkResponse({ type: GitSettingsDto, description: 'The settings after the change.' }),
  );
}
