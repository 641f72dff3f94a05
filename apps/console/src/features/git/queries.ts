import { queryOptions } from '@tanstack/react-query';
import { answer, api } from '../../api/client';
import { Problem } from '../../api/problem';
import type { Service } from '../../api/types';

const LOOK_AGAIN_MS = 10_000;

/** The push hook of a service; null while it has none. */
export const hookQuery = (id: string) =>
  queryOptions({
    queryKey: ['service', id, 'hook'],
    queryFn: async () => {
      try {
        return await answer(api.GET('/api/v1/services/{id}/hook', { params: { path: { id } } }));
      } catch (error) {
        if (error instanceof Problem && error.status === 404) return null;
        throw error;
      }
    },
  });

export const gitSettingsQuery = (id: string) =>
  queryOptions({
    queryKey: ['service', id, 'git-settings'],
    queryFn: () => answer(api.GET('/api/v1/services/{id}/git-settings', { params: { path: { id } } })),
  });

/** The previews of a service that exist now. Their names begin with its name. */
export const previewsQuery = ({ id, name }: Service) =>
  queryOptions({
    queryKey: ['service', id, 'previews'],
    refetchInterval: LOOK_AGAIN_MS,
    queryFn: async () => {
      const query = { search: `${name}-pr-`, pageSize: '100' } as never;
      const { data } = await answer(api.GET('/api/v1/services', { params: { query } }));
      return data.filter(({ preview }) => preview?.parentServiceId === id);
    },
  });

export const deliveriesQuery = (id: string) =>
  queryOptions({
    queryKey: ['service', id, 'hook-deliveries'],
    refetchInterval: LOOK_AGAIN_MS,
    queryFn: () => answer(api.GET('/api/v1/services/{id}/hook-deliveries', { params: { path: { id } } })),
  });
