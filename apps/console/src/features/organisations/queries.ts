import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { answer, api } from '../../api/client';
import { useSession } from '../../api/session';

const PAGE_SIZE = 50;
const NAMES_STALE_MS = 300_000;

export interface OrganisationSearch {
  readonly page: number;
  readonly search?: string | undefined;
}

export const organisationsQuery = ({ page, search }: OrganisationSearch) =>
  queryOptions({
    queryKey: ['organisations', { page, search }],
    placeholderData: keepPreviousData,
    queryFn: () => {
      const query = { page, pageSize: PAGE_SIZE, ...(search && { search }) };
      return answer(api.GET('/api/v1/organisations', { params: { query } }));
    },
  });

export const organisationQuery = (id: string) =>
  queryOptions({
    queryKey: ['organisations', 'one', id],
    queryFn: () => answer(api.GET('/api/v1/organisations/{id}', { params: { path: { id } } })),
  });

export const membersQuery = (id: string) =>
  queryOptions({
    queryKey: ['organisations', 'one', id, 'members'],
    queryFn: () => answer(api.GET('/api/v1/organisations/{id}/members', { params: { path: { id } } })),
  });

/** Names by id, for those who may know them; empty for others. One request for all of a page. */
export function useOrganisationNames(ids: readonly (string | null)[]): Readonly<Record<string, string | undefined>> {
  const { user, permissions } = useSession();
  const wanted = [...new Set(ids.filter((id) => id !== null))].sort();
  const { data = {} } = useQuery({
    queryKey: ['organisations', 'names', wanted],
    staleTime: NAMES_STALE_MS,
    enabled: wanted.length > 0 && user.role === 'admin' && permissions.has('org.members:read'),
    queryFn: async () => {
      const query = { ids: wanted.join(','), pageSize: 100 };
      const { data: found } = await answer(api.GET('/api/v1/organisations', { params: { query } }));
      return Object.fromEntries(found.map(({ id, name }) => [id, name]));
    },
  });
  return data;
}
