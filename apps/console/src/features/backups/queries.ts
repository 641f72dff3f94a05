import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { answer, api } from '../../api/client';
import type { Backup, BackupPolicy } from '../../api/types';

const LOOK_AGAIN_MS = 2_000;
const WINDOW_EVERY_MS = 5_000;

/** Whether something is still being done with the backup. */
export const isOpen = ({ status, verification }: Backup): boolean =>
  status === 'queued' ||
  status === 'running' ||
  verification?.status === 'pending' ||
  verification?.status === 'running';

export const backupsQuery = (id: string, page: number) =>
  queryOptions({
    queryKey: ['service', id, 'backups', page],
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => (data?.data.some(isOpen) ? LOOK_AGAIN_MS : false),
    queryFn: () => answer(api.GET('/api/v1/services/{id}/backups', { params: { path: { id }, query: { page } } })),
  });

export const policyQuery = (id: string) =>
  queryOptions({
    queryKey: ['service', id, 'backup-policy'],
    queryFn: () => answer(api.GET('/api/v1/services/{id}/backup-policy', { params: { path: { id } } })),
  });

export function useSavePolicy(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BackupPolicy) =>
      answer(api.PUT('/api/v1/services/{id}/backup-policy', { params: { path: { id } }, body })),
    onSuccess: () => client.invalidateQueries({ queryKey: ['service', id] }),
  });
}

/** The moments that can be brought back. Asked more often while there is none yet. */
export const recoveryWindowQuery = (id: string) =>
  queryOptions({
    queryKey: ['service', id, 'recovery-window'],
    refetchInterval: ({ state: { data } }) => (data?.from ? WINDOW_EVERY_MS : LOOK_AGAIN_MS),
    queryFn: () => answer(api.GET('/api/v1/services/{id}/recovery-window', { params: { path: { id } } })),
  });

/** The newest restores of a service. Read anew while one runs. */
export const restoresQuery = (id: string) =>
  queryOptions({
    queryKey: ['service', id, 'restores'],
    refetchInterval: ({ state: { data } }) =>
      data?.data.some(({ finishedAt }) => finishedAt === null) ? LOOK_AGAIN_MS : false,
    queryFn: () => {
      const query = { pageSize: '10' } as never;
      return answer(api.GET('/api/v1/services/{id}/restores', { params: { path: { id }, query } }));
    },
  });
