import { applyDecorators, Get, Put } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import type { RouteArea } from '../services/route-area.js';
import { ServiceIdParam } from '../services/service-id.decorator.js';
import { InArea } from '../services/service-routes.js';
import { BackupPolicyDto } from './backup-policy.dto.js';

export function GetBackupPolicy(area: RouteArea): MethodDecorator {
  return applyDecorators(
    Get(':id/backup-policy'),
    InArea(area, {
      id: 'getBackupPolicy',
      permission: 'backups:read',
      errors: [404, 409],
      summary: 'Read the backup policy of a service',
      description: 'If no policy was set, the defaults, which have no schedule.',
    }),
    ServiceIdParam(),
    ApiOkResponse({ type: BackupPolicyDto, description: 'The policy.' }),
  );
}

export function SetBackupPolicy(area: RouteArea): MethodDecorator {
  return applyDecorators(
    Put(':id/backup-policy'),
    InArea(area, {
      id: 'setBackupPolicy',
      permission: 'backups:create',
      errors: [404, 409],
      body: true,
      summary: 'Set the backup policy of a service',
      description:
        'Replaces the policy. Runs that were missed are made up for by one. The newest verified backup is kept, ' +
        'whatever the policy says.',
    }),
    ServiceIdParam(),
    ApiOkResponse({ type: BackupPolicyDto, description: 'The policy now in effect.' }),
  );
}
