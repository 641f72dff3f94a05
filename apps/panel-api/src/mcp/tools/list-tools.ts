import { z } from 'zod';
import type { ServiceDto, ServicePageDto } from '../../services/service.dto.js';
import type { ServiceRequests } from '../../services/service-requests.js';
import { page, pageQuery, pagination, serviceRow, status } from './schemas.js';
import { READS, tool, type OfferedTool } from './tool.js';

const listed = z.object({ data: z.array(serviceRow), pagination });

export function listTools(requests: ServiceRequests): readonly OfferedTool[] {
  return [
    tool({
      name: 'list_services',
      title: 'List services',
      description: 'The services that this key may see, newest first, one line each.',
      anyOf: ['services:read'],
      input: z.object({ ...page, status: status.optional() }),
      output: listed,
      annotations: READS,
      run: async ({ scope }, args) =>
        rows(await requests.list(scope, { ...pageQuery(args), ...(args.status && { status: args.status }) })),
    }),
    tool({
      name: 'search_services',
      title: 'Search services',
      description: 'The services whose name contains the given text, ignoring case, newest first.',
      anyOf: ['services:read'],
      input: z.object({ ...page, search: z.string().min(1).max(200).describe('Part of the name.') }),
      output: listed,
      annotations: READS,
      run: async ({ scope }, args) => rows(await requests.list(scope, { ...pageQuery(args), search: args.search })),
    }),
  ];
}

function rows({ data, pagination }: ServicePageDto): object {
  return { data: data.map(rowOf), pagination };
}

export function rowOf({ id, name, status, deploymentType, templateName, customerId, url, createdAt }: ServiceDto) {
  return { id, name, status, deploymentType, templateName, customerId, url, createdAt };
}
