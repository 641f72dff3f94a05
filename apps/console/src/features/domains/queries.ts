import { queryOptions } from '@tanstack/react-query';
import { answer, api } from '../../api/client';

const CHECK_EVERY_MS = 15_000;

export const domainsQuery = (id: string) =>
  queryOptions({
    queryKey: ['service', id, 'domains'],
    refetchInterval: CHECK_EVERY_MS,
    queryFn: () => answer(api.GET('/api/v1/services/{id}/domains', { params: { path: { id } } })),
  });
