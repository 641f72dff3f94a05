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
      summary: 'When a service is backed up',
      description: 'The defaults, without a schedule, where nobody has set a policy.',
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
      summary: 'Set when a service is backed up',
      description:
        'Replaces the policy. A run that was missed is made up once. The newest verified backup is kept, whatever the ' +
        'policy says.',
    }),
    ServiceIdParam(),
    ApiOkResponse({ type: BackupPolicyDto, description: 'The policy that holds now.' }),
  );
}
