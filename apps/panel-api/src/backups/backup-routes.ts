import { applyDecorators, Delete, Get, HttpCode, Post } from '@nestjs/common';
import { ApiAcceptedResponse, ApiNoContentResponse, ApiOkResponse, ApiParam, ApiQuery } from '@nestjs/swagger';
import { BACKUP_STATUSES } from '#libs/backups';
import type { RouteArea } from '../services/route-area.js';
import { ServiceIdParam } from '../services/service-id.decorator.js';
import { InArea, PAGE } from '../services/service-routes.js';
import { AcceptedBackupDto, AcceptedVerificationDto, BackupDto, BackupPageDto } from './backup.dto.js';

const BackupIdParam = () => ApiParam({ name: 'id', format: 'uuid', example: '6f6c1d7e-52a5-4a53-9c39-2c6a5c1f0a11' });

export function ListBackups(area: RouteArea): MethodDecorator {
  return applyDecorators(
    Get(':id/backups'),
    InArea(area, {
      id: 'listBackups',
      permission: 'backups:read',
      errors: [404, 422],
      summary: 'List the backups of a service',
      description:
        'Newest first, with the base backups of the recovery window (`kind: base`). Backups of a deleted service are listed ' +
        'until they expire.',
    }),
    ServiceIdParam(),
    ...PAGE,
    ApiQuery({ name: 'status', required: false, enum: BACKUP_STATUSES, enumName: 'BackupStatus' }),
    ApiOkResponse({ type: BackupPageDto, description: 'A page of backups.' }),
  );
}

export function CreateBackup(area: RouteArea): MethodDecorator {
  return applyDecorators(
    Post(':id/backups'),
    HttpCode(202),
    InArea(area, {
      id: 'createBackup',
      permission: 'backups:create',
      errors: [404, 409, ...area.errors],
      summary: 'Back a database up',
      description:
        'A worker dumps the database with the tools of its own image, encrypts the dump and stores it. 202 means that ' +
        'this is scheduled: read the backup, or listen to `backup.status` on the channel of the service, for the ' +
        'outcome. A service has one backup at a time: otherwise 409 `backup_in_progress`.',
    }),
    ServiceIdParam(),
    ApiAcceptedResponse({ type: AcceptedBackupDto, description: 'The backup is scheduled.' }),
  );
}

export function GetBackup(area: RouteArea): MethodDecorator {
  return applyDecorators(
    Get(':id'),
    InArea(area, {
      id: 'getBackup',
      permission: 'backups:read',
      errors: [404],
      summary: 'Read a backup',
      description: 'The backup, with the outcome of its verification.',
    }),
    BackupIdParam(),
    ApiOkResponse({ type: BackupDto, description: 'The backup.' }),
  );
}

export function VerifyBackup(area: RouteArea): MethodDecorator {
  return applyDecorators(
    Post(':id/verify'),
    HttpCode(202),
    InArea(area, {
      id: 'verifyBackup',
      permission: 'backups:create',
      errors: [404, 409, ...area.errors],
      summary: 'Verify a backup',
      description:
        'A worker restores the backup into a temporary server without network and compares its objects and rows with ' +
        'those of the dump. A base backup is restored with the log after it, to the newest moment, and all of it is read.',
    }),
    BackupIdParam(),
    ApiAcceptedResponse({ type: AcceptedVerificationDto, description: 'The verification is scheduled.' }),
  );
}

export function DownloadBackup(area: RouteArea): MethodDecorator {
  return applyDecorators(
    Get(':id/download'),
    InArea(area, {
      id: 'downloadBackup',
      permission: 'backups:restore',
      errors: [404, 409, 422, 503],
      summary: 'Download a backup',
      description:
        'The dump in the format of the database, ready for its restore tool; of a base backup the compressed copy. `sealed=true` returns the encrypted file ' +
        'as it is stored, with its SHA-256 in `X-Content-SHA256`. If the stored file was changed, the connection is ' +
        'closed before the end. Every download is recorded in the audit log.',
    }),
    BackupIdParam(),
    ApiQuery({ name: 'sealed', required: false, schema: { type: 'boolean', default: false } }),
    ApiOkResponse({
      description: 'The file.',
      content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
    }),
  );
}

export function DeleteBackup(area: RouteArea): MethodDecorator {
  return applyDecorators(
    Delete(':id'),
    HttpCode(204),
    InArea(area, {
      id: 'deleteBackup',
      permission: 'backups:delete',
      errors: [404, 409, 503, ...area.errors],
      summary: 'Delete a backup',
      description:
        'Also from the store. Its record stays, as `expired`. The newest base backup cannot be deleted while `pitr` is on: ' +
        '409 `invalid_state`.',
    }),
    BackupIdParam(),
    ApiNoContentResponse({ description: 'The backup was deleted.' }),
  );
}
