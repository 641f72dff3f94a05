import { z } from 'zod';
import { SERVICE_STATUSES, type OrganisationQuotas, type ServiceQueries } from '#libs/services';
import { ServiceDto } from '../../services/service.dto.js';
import { rowOf } from './list-tools.js';
import { serviceRow } from './schemas.js';
import { READS, tool, type OfferedTool } from './tool.js';

const MAX_IN_TROUBLE = 20;
const NOTHING_ELSE = { search: null } as const;

const figures = z.looseObject({
  services: z.number().nullable(),
  cpuCores: z.number().nullable(),
  memoryMb: z.number().nullable(),
  diskMb: z.number().nullable(),
});

export function overviewTools(queries: ServiceQueries, quotas: OrganisationQuotas): readonly OfferedTool[] {
  return [
    tool({
      name: 'get_overview',
      title: 'Get an overview',
      description: 'The number of services in each status, the services with problems, and what is left of the quota.',
      anyOf: ['services:read'],
      input: z.object({}),
      output: z.object({
        area: z.enum(['admin', 'tenant']),
        organisationId: z.string().nullable(),
        total: z.number(),
        byStatus: z.record(z.string(), z.number()),
        inTrouble: z.array(serviceRow),
        quota: z.object({ limits: figures, used: figures }).nullable().describe('Null for the whole panel.'),
      }),
      annotations: READS,
      run: async ({ scope, area, organisationId, permissions }) => {
        const count = async (status: (typeof SERVICE_STATUSES)[number]) =>
          (await queries.list(scope, { ...NOTHING_ELSE, status }, { offset: 0, limit: 1 })).total;
        const counts = await Promise.all(
          SERVICE_STATUSES.map(async (status) => [status, await count(status)] as const),
        );
        const slice = { offset: 0, limit: MAX_IN_TROUBLE };
        const { services } = await queries.list(scope, { ...NOTHING_ELSE, status: 'error' }, slice);
        const maySeeQuota = organisationId !== null && permissions.has('usage:read');
        return {
          area,
          organisationId,
          total: counts.reduce((sum, [, number]) => sum + number, 0),
          byStatus: Object.fromEntries(counts.filter(([, number]) => number > 0)),
          inTrouble: services.map((view) => rowOf(ServiceDto.of(view))),
          quota: maySeeQuota ? await quotas.standing(organisationId) : null,
        };
      },
    }),
  ];
}
