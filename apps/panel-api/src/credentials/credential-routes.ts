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
      summary: 'Read the credentials of a database',
      description: 'The password is masked. Only services created from a template have credentials.',
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
      errors: [404, 409, ...area.errors],
      summary: 'Reveal the password of a database',
      description:
        'Recorded in the audit log before the password is read. Limited to ten requests a minute. Only ' +
        'administrators may see the API key of the vector database. 409 `restore_in_progress` while the data of a ' +
        'new service are being restored.',
    }),
    ServiceIdParam(),
    ApiOkResponse({ type: CredentialsDto, description: 'The credentials in clear text.' }),
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
      summary: 'Rotate the password of a database',
      description:
        'Before this responds, the database has accepted the new password, a login with it has succeeded and ' +
        'one with the old password has failed. The service must be running with no operation in progress. An ' +
        'API key is replaced by a deployment.',
    }),
    ServiceIdParam(),
    ApiOkResponse({
      type: RotatedCredentialsDto,
      description: 'The new password is in use, or its deployment is scheduled.',
    }),
  );
}
