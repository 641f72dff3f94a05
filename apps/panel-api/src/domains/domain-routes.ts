import { applyDecorators, Delete, Get, HttpCode, Patch, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiParam } from '@nestjs/swagger';
import type { RouteArea } from '../services/route-area.js';
import { ServiceIdParam } from '../services/service-id.decorator.js';
import { InArea } from '../services/service-routes.js';
import { DomainDto, DomainListDto } from './domain.dto.js';

const DomainIdParam = () => ApiParam({ name: 'id', format: 'uuid', example: '2b1f0a44-7c1e-4f0e-9a57-90b1a4d2c0de' });

export function ListDomains(area: RouteArea): MethodDecorator {
  return applyDecorators(
    Get('services/:id/domains'),
    InArea(area, {
      id: 'listDomains',
      permission: 'domains:read',
      summary: 'List the domains of a service',
      description: 'Oldest first.',
    }),
    ServiceIdParam(),
    ApiOkResponse({ type: DomainListDto, description: 'The domains.' }),
  );
}

export function AddDomain(area: RouteArea): MethodDecorator {
  return applyDecorators(
    Post('services/:id/domains'),
    HttpCode(201),
    InArea(area, {
      id: 'addDomain',
      permission: 'domains:write',
      errors: [409],
      body: true,
      summary: 'Add a domain to a service',
      description:
        "A host under this installation's base domain is active at once. Any other host becomes active when " +
        'the TXT record in `verification` exists; at first it is checked every few seconds. The first domain ' +
        'of a service is its primary one. Omit `targetService` and `targetPort` if the compose file leaves ' +
        'only one choice. A host can belong to one service only: otherwise 409 `domain_taken`, whoever has ' +
        'it.',
    }),
    ServiceIdParam(),
    ApiCreatedResponse({ type: DomainDto, description: 'The domain.' }),
  );
}

export function ChangeDomain(area: RouteArea): MethodDecorator {
  return applyDecorators(
    Patch('domains/:id'),
    InArea(area, {
      id: 'changeDomain',
      permission: 'domains:write',
      body: true,
      summary: 'Change a domain',
      description: 'Omitted values stay as they are. The host of a domain never changes.',
    }),
    DomainIdParam(),
    ApiOkResponse({ type: DomainDto, description: 'The domain as it is now.' }),
  );
}

export function VerifyDomain(area: RouteArea): MethodDecorator {
  return applyDecorators(
    Post('domains/:id/verify'),
    HttpCode(200),
    InArea(area, {
      id: 'verifyDomain',
      permission: 'domains:write',
      errors: [...area.errors],
      summary: 'Verify a domain now',
      description:
        'Looks up the TXT record now instead of waiting for the next regular check. An active domain stays ' +
        'active.',
    }),
    DomainIdParam(),
    ApiOkResponse({ type: DomainDto, description: 'The domain after the check.' }),
  );
}

export function RemoveDomain(area: RouteArea): MethodDecorator {
  return applyDecorators(
    Delete('domains/:id'),
    HttpCode(204),
    InArea(area, {
      id: 'removeDomain',
      permission: 'domains:write',
      errors: [...area.errors],
      summary: 'Remove a domain',
      description:
        'Requests for the host are no longer served, and anybody may claim it. If it was the primary domain, ' +
        'the oldest remaining active domain takes its place.',
    }),
    DomainIdParam(),
    ApiNoContentResponse({ description: 'The domain was removed.' }),
  );
}
