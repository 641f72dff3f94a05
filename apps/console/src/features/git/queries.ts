import { queryOptions } from '@tanstack/react-query';
import { answer, api } from '../../api/client';
import { Problem } from '../../api/problem';

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

export const deliveriesQuery = (id: string) =>
  queryOptions({
    queryKey: ['service', id, 'hook-deliveries'],
    refetchInterval: LOOK_AGAIN_MS,
    queryFn: () => answer(api.GET('/api/v1/services/{id}/hook-deliveries', { params: { path: { id } } })),
  });
