import { z } from 'zod';
import type { Uuid } from '#kernel/crypto/uuid';
import type { BackupRequests } from '../../backups/backup-requests.js';
import { page, pageQuery, pagination, serviceId, time } from './schemas.js';
import { CREATES, READS, tool, type OfferedTool } from './tool.js';

const backup = z.looseObject({
  id: z.string(),
  status: z.string(),
  trigger: z.string(),
  createdAt: time,
  verification: z
    .looseObject({ status: z.string(), errorMessage: z.string().nullable() })
    .nullable()
    .describe(
      'Only `verified` has been proven by a restore; `compared: counts` means that contents were not compared.',
    ),
  errorMessage: z.string().nullable(),
});

/** Backups are restored with plan_change. No tool returns their contents. */
export function backupTools(requests: BackupRequests): readonly OfferedTool[] {
  return [
    tool({
      name: 'list_backups',
      title: 'List backups',
      description: 'The backups of a service, newest first, with the outcome of their verification.',
      anyOf: ['backups:read'],
      input: z.object({ serviceId, ...page }),
      output: z.object({ data: z.array(backup), pagination }),
      annotations: READS,
      target: ({ serviceId }) => serviceId,
      run: ({ scope }, { serviceId, ...asked }) => requests.list(scope, serviceId as Uuid, pageQuery(asked)),
    }),
    tool({
      name: 'create_backup',
      title: 'Back a database up',
      description: 'A worker dumps the database and verifies the dump. Follow the outcome with list_backups.',
      anyOf: ['backups:create'],
      input: z.object({ serviceId }),
      output: z.object({ backupId: z.string(), status: z.string() }),
      annotations: CREATES,
      target: ({ serviceId }) => serviceId,
      run: ({ caller, scope }, { serviceId }) => requests.create(caller, scope, serviceId as Uuid),
    }),
  ];
}
