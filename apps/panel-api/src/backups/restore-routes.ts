import { applyDecorators, Get, HttpCode, Post } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiParam } from '@nestjs/swagger';
import type { RouteArea } from '../services/route-area.js';
import { ServiceIdParam } from '../services/service-id.decorator.js';
import { InArea, PAGE } from '../services/service-routes.js';
import { RecoveryWindowDto, RestoreDto, RestorePageDto } from './restore.dto.js';

export function RestoreBackup(area: RouteArea): MethodDecorator {
  return applyDecorators(
    Post(':id/restore'),
    HttpCode(202),
    InArea(area, {
      id: 'restoreBackup',
      permission: 'backups:restore',
      errors: [404, 409, 503],
      body: true,
      summary: 'Restore a backup',
      description:
        'Of a backup, or of a moment by `at`. By default into a new service, which is deployed first. Into the same one needs `confirm`, the name of the ' +
        'service: another backup is taken, the data are restored beside the old ones and compared, and only then take ' +
        'their place. A base backup is restored as of its end, into a new service only. The id of a backup of another ' +
        'service is not found. Qdrant reads snapshots of its own minor ' +
        'version and of the one before: 409 `backup_version_unsupported` for others.',
    }),
    ServiceIdParam(),
    ApiAcceptedResponse({ type: RestoreDto, description: 'The restore is scheduled.' }),
  );
}

export function ListRestores(area: RouteArea): MethodDecorator {
  return applyDecorators(
    Get(':id/restores'),
    InArea(area, {
      id: 'listRestores',
      permission: 'backups:read',
      errors: [404, 422],
      summary: 'List the restores of a service',
      description: 'Restores of its backups, and restores into it. Newest first.',
    }),
    ServiceIdParam(),
    ...PAGE,
    ApiOkResponse({ type: RestorePageDto, description: 'A page of restores.' }),
  );
}

export function GetRecoveryWindow(area: RouteArea): MethodDecorator {
  return applyDecorators(
    Get(':id/recovery-window'),
    InArea(area, {
      id: 'getRecoveryWindow',
      permission: 'backups:read',
      errors: [404, 409],
      summary: 'Read the recovery window of a service',
      description:
        'For services whose backup policy has `pitr`, and whose template supports it. The window starts at the end of ' +
        'the oldest base backup and ends with the last shipped log, at most a minute ago while the database runs.',
    }),
    ServiceIdParam(),
    ApiOkResponse({ type: RecoveryWindowDto, description: 'The window.' }),
  );
}

export function CloneService(area: RouteArea): MethodDecorator {
  return applyDecorators(
    Post(':id/clone'),
    HttpCode(202),
    InArea(area, {
      id: 'cloneService',
      permission: 'backups:restore',
      errors: [404, 409, 503],
      body: true,
      summary: 'Clone a database',
      description:
        'Creates a service with the data of the newest verified backup and its own credentials. Without such a backup: ' +
        '409 `backup_missing`.',
    }),
    ServiceIdParam(),
    ApiAcceptedResponse({ type: RestoreDto, description: 'The restore into the new service is scheduled.' }),
  );
}

export function GetRestore(area: RouteArea): MethodDecorator {
  return applyDecorators(
    Get(':id'),
    InArea(area, {
      id: 'getRestore',
      permission: 'backups:read',
      errors: [404],
      summary: 'Read a restore',
      description: 'The progress of the restore, and why it failed.',
    }),
    ApiParam({ name: 'id', format: 'uuid', example: '6f6c1d7e-52a5-4a53-9c39-2c6a5c1f0a11' }),
    ApiOkResponse({ type: RestoreDto, description: 'The restore.' }),
  );
}
