import { queryOptions } from '@tanstack/react-query';
import { answer, api } from '../../api/client';

export const templatesQuery = queryOptions({
  queryKey: ['templates'],
  staleTime: 300_000,
  queryFn: () => answer(api.GET('/api/v1/templates')),
});

export const credentialsQuery = (id: string) =>
  queryOptions({
    queryKey: ['credentials', id],
    queryFn: () => answer(api.GET('/api/v1/services/{id}/credentials', { params: { path: { id } } })),
  });
