import { z } from 'zod';
import type { Uuid } from '#kernel/crypto/uuid';
import { visibleText } from '#kernel/text/visible-text';
import type { ServiceRequests } from '../../services/service-requests.js';
import { page, pageQuery, serviceId, serviceRow, time } from './schemas.js';
import { READS, tool, type OfferedTool } from './tool.js';

const MAX_MESSAGE_LENGTH = 500;

const deploymentRow = z.object({
  id: z.string(),
  status: z.string(),
  trigger: z.string(),
  errorMessage: z.string().nullable(),
  createdAt: time,
  finishedAt: time.nullable(),
});

export function serviceTools(requests: ServiceRequests): readonly OfferedTool[] {
  return [
    tool({
      name: 'get_service',
      title: 'Get a service',
      description: 'One service with its limits, containers, ports and status.',
      anyOf: ['services:read'],
      input: z.object({ serviceId }),
      output: serviceRow.loose(),
      annotations: READS,
      target: (args) => args.serviceId,
      run: async ({ scope }, args) => requests.get(scope, args.serviceId as Uuid),
    }),
    tool({
      name: 'list_deployments',
      title: 'List deployments',
      description: 'The deployments of a service and their outcomes, newest first.',
      anyOf: ['deployments:read'],
      input: z.object({ serviceId, ...page }),
      output: z.object({
        data: z.array(deploymentRow),
        pagination: z.looseObject({ page: z.number(), pageSize: z.number() }),
      }),
      annotations: READS,
      target: (args) => args.serviceId,
      run: async ({ scope }, args) => {
        const found = await requests.deployments(scope, args.serviceId as Uuid, pageQuery(args));
        const data = found.data.map(({ id, status, trigger, errorMessage, createdAt, finishedAt }) => ({
          id,
          status,
          trigger,
          createdAt,
          finishedAt,
          errorMessage: errorMessage === null ? null : visibleText(errorMessage).slice(0, MAX_MESSAGE_LENGTH),
        }));
        return { data, pagination: found.pagination };
      },
    }),
  ];
}
