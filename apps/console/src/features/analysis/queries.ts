import { queryOptions } from '@tanstack/react-query';
import { answer, api } from '../../api/client';
import type { Analysis } from '../../api/types';

const LOOK_AGAIN_MS = 3_000;

export const isOver = (status: Analysis['status']): boolean => status === 'completed' || status === 'failed';

/** Read anew while it runs, should a message of the socket be missed. */
export const analysisQuery = (id: string) =>
  queryOptions({
    queryKey: ['analysis', id],
    refetchInterval: ({ state: { data } }) => (data && isOver(data.status) ? false : LOOK_AGAIN_MS),
    queryFn: () => answer(api.GET('/api/v1/analyze/{id}', { params: { path: { id } } })),
  });
