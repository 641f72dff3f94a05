import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { answer, api } from '../../api/client';

export interface ServiceSearch {
  readonly page: number;
  readonly status?: string | undefined;
  readonly search?: string | undefined;
}

const PAGE_SIZE = 50;
const METRICS_EVERY_MS = 15_000;
const SOON_MS = 4_000;
const DISK_EVERY_MS = 60_000;

export const servicesQuery = ({ page, status, search }: ServiceSearch) =>
  queryOptions({
    queryKey: ['services', { page, status, search }],
    placeholderData: keepPreviousData,
    queryFn: () => {
      const query = { page: String(page), pageSize: String(PAGE_SIZE), status, search } as never;
      return answer(api.GET('/api/v1/services', { params: { query } }));
    },
  });

export const serviceQuery = (id: string) =>
  queryOptions({
    queryKey: ['service', id],
    queryFn: () => answer(api.GET('/api/v1/services/{id}', { params: { path: { id } } })),
  });

export const deploymentsQuery = (id: string) =>
  queryOptions({
    queryKey: ['service', id, 'deployments'],
    queryFn: () => answer(api.GET('/api/v1/services/{id}/deployments', { params: { path: { id } } })),
  });

export const summariesQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: ['summaries', ids],
    refetchInterval: METRICS_EVERY_MS,
    placeholderData: keepPreviousData,
    enabled: ids.length > 0,
    queryFn: async () => {
      const query = { ids: ids.join(',') };
      const { summaries } = await answer(api.GET('/api/v1/services/metrics/summary', { params: { query } }));
      return summaries;
    },
  });

export type MetricsRange = '15m' | '1h' | '6h' | '24h';

export const metricsQuery = (id: string, range: MetricsRange) =>
  queryOptions({
    queryKey: ['service', id, 'metrics', range],
    refetchInterval: METRICS_EVERY_MS,
    placeholderData: keepPreviousData,
    queryFn: () => answer(api.GET('/api/v1/services/{id}/metrics', { params: { path: { id }, query: { range } } })),
  });

export const healthQuery = (id: string) =>
  queryOptions({
    queryKey: ['service', id, 'health'],
    // After a deployment the panel looks at the new containers within some seconds.
    refetchInterval: ({ state }) => (state.data?.containers.length === 0 ? SOON_MS : METRICS_EVERY_MS),
    queryFn: () => answer(api.GET('/api/v1/services/{id}/health', { params: { path: { id } } })),
  });

export const diskQuery = (id: string) =>
  queryOptions({
    queryKey: ['service', id, 'disk'],
    refetchInterval: DISK_EVERY_MS,
    queryFn: () => answer(api.GET('/api/v1/services/{id}/disk-usage', { params: { path: { id } } })),
  });

export const sourceQuery = (id: string) =>
  queryOptions({
    queryKey: ['source', id],
    // Each look is recorded, so it is read once and not anew with every change of the service.
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    queryFn: () => answer(api.GET('/api/v1/services/{id}/source', { params: { path: { id } } })),
  });

export const versionsQuery = (id: string) =>
  queryOptions({
    queryKey: ['service', id, 'versions'],
    queryFn: () => answer(api.GET('/api/v1/services/{id}/versions', { params: { path: { id } } })),
  });

export const deploymentQuery = (serviceId: string, id: string) =>
  queryOptions({
    queryKey: ['service', serviceId, 'deployment', id],
    queryFn: () => answer(api.GET('/api/v1/deployments/{id}', { params: { path: { id } } })),
  });

const LOG_EVERY_MS = 3_000;

/** Read anew while the deployment runs, should a message of the socket be missed. */
export const deploymentLogQuery = (id: string, open: boolean) =>
  queryOptions({
    queryKey: ['deployment-log', id],
    refetchInterval: open ? LOG_EVERY_MS : false,
    queryFn: () => answer(api.GET('/api/v1/deployments/{id}/log', { params: { path: { id } } })),
  });
