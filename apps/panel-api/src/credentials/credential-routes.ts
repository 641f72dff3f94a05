import { applyDecorators, Get, Header, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import type { RouteArea } from '../services/route-area.js';
import { ServiceIdParam } from '../services/service-id.decorator.js';
import { InArea } from '../services/service-routes.js';
import { CredentialsDto, RotatedCredentialsDto } from './credentials.dto.js';

export function GetCredentials(area: RouteArea): MethodDecorator {
  return applyDecorators(
    Get(':id/credentials'),
    InArea(area, {
      id: 'getCredentials',
      permission: 'services:read',
      errors: [404],
      summary: 'How to reach a database',
      description: 'Without its password. Only services that were made from a template have credentials.',
    }),
    ServiceIdParam(),
    ApiOkResponse({ type: CredentialsDto, description: 'The credentials, masked.' }),
  );
}

export function RevealCredentials(area: RouteArea): MethodDecorator {
  return applyDecorators(
    Post(':id/credentials/reveal'),
    HttpCode(200),
    Header('Cache-Control', 'no-store'),
    InArea(area, {
      id: 'revealCredentials',
      permission: 'credentials:reveal',
      errors: [404, ...area.errors],
      summary: 'Show the password of a database',
      description:
        'The audit log has it before the password is read. Ten a minute. The API key of the vector database is for ' +
        'administrators.',
    }),
    ServiceIdParam(),
    ApiOkResponse({ type: CredentialsDto, description: 'The credentials in clear.' }),
  );
}

export function RotateCredentials(area: RouteArea): MethodDecorator {
  return applyDecorators(
    Post(':id/credentials/rotate'),
    HttpCode(200),
    Header('Cache-Control', 'no-store'),
    InArea(area, {
      id: 'rotateCredentials',
      permission: 'credentials:reveal',
      errors: [404, 409, 503, ...area.errors],
      summary: 'Give a database a new password',
      description:
        'The database takes the new password, lets its user in with it and refuses the old one before this answers. ' +
        'The service must run, with nothing under way. An API key is replaced by a deployment.',
    }),
    ServiceIdParam(),
    ApiOkResponse({
      type: RotatedCredentialsDto,
      description: 'The new password holds, or its deployment is scheduled.',
    }),
  );
}
