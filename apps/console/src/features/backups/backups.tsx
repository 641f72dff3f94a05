import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { answer, api } from '../../api/client';
import { useCan } from '../../api/session';
import type { Backup } from '../../api/types';
import { bytes } from '../../ui/amounts';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { Confirm } from '../../ui/confirm';
import { Loading } from '../../ui/empty-state';
import { ProblemNotice } from '../../ui/notice';
import { Pager } from '../../ui/pager';
import { Table } from '../../ui/table';
import { Time } from '../../ui/time';
import { useToast } from '../../ui/toasts';
import { BackupActions } from './backup-actions';
import { BackupPolicy } from './backup-policy';
import { BackupState } from './backup-state';
import { backupsQuery } from './queries';
import { RestoreDialog } from './restore-dialog';
import { RestoreProgress } from './restore-progress';

/** What can be brought back of a database, when it is made, and the way back. */
export function Backups({ id }: { id: string }): ReactNode {
  const client = useQueryClient();
  const toast = useToast();
  const canCreate = useCan('backups:create');
  const [page, setPage] = useState(1);
  const [restoring, setRestoring] = useState<Backup | null>(null);
  const [deleting, setDeleting] = useState<Backup | null>(null);
  const [restoreId, setRestoreId] = useState<string | null>(null);
  const { data, error } = useQuery(backupsQuery(id, page));
  const refresh = () => client.invalidateQueries({ queryKey: ['service', id] });
  const make = useMutation({
    mutationFn: () => answer(api.POST('/api/v1/services/{id}/backups', { params: { path: { id } } })),
    onSuccess: async () => {
      toast('The backup is on its way. It counts once it is verified.');
      await refresh();
    },
  });
  const remove = useMutation({
    mutationFn: (backup: Backup) => api.DELETE('/api/v1/backups/{id}', { params: { path: { id: backup.id } } }),
    onSuccess: refresh,
  });
  const problem = error ?? make.error;
  return (
    <div className="grid grid-cols-1 gap-5">
      {restoreId ? <RestoreProgress id={restoreId} /> : null}
      <Card
        flush
        title="Backups"
        actions={
          canCreate ? (
            <Button look="primary" busy={make.isPending} onClick={() => make.mutate()}>
              Make a backup now
            </Button>
          ) : null
        }
      >
        {problem ? (
          <div className="p-4">
            <ProblemNotice error={problem} />
          </div>
        ) : null}
        {!data && !error ? <Loading what="backups" /> : null}
        {data?.data.length === 0 ? (
          <p className="text-quiet p-4 text-sm">
            There is no backup yet: what is lost now is lost for good. Make one, and choose a schedule below.
          </p>
        ) : null}
        {data && data.data.length > 0 ? (
          <Table
            plain
            caption="Backups"
            rows={data.data}
            keyOf={({ id: backup }) => backup}
            columns={[
              { title: 'Made', cell: ({ createdAt }) => <Time at={createdAt} exact /> },
              { title: 'State', grows: true, cell: (backup) => <BackupState backup={backup} /> },
              { title: 'Why', widest: true, cell: ({ trigger }) => trigger.replaceAll('-', ' ') },
              { title: 'Size', wide: true, cell: ({ sizeBytes }) => bytes(sizeBytes) },
              {
                title: 'Kept until',
                widest: true,
                cell: ({ expiresAt }) => (expiresAt ? <Time at={expiresAt} /> : 'a newer one'),
              },
              {
                title: 'Actions',
                quiet: true,
                cell: (backup) => (
                  <BackupActions backup={backup} onRestore={setRestoring} onDelete={setDeleting} onChanged={refresh} />
                ),
              },
            ]}
          />
        ) : null}
        {data && data.pagination.totalPages > 1 ? (
          <div className="px-4 pb-4">
            <Pager pagination={data.pagination} one="backup" many="backups" goTo={setPage} />
          </div>
        ) : null}
      </Card>
      <BackupPolicy id={id} />
      {restoring ? (
        <RestoreDialog
          serviceId={id}
          backup={restoring}
          onClose={() => setRestoring(null)}
          onAccepted={(restore) => {
            setRestoring(null);
            setRestoreId(restore);
            void refresh();
          }}
        />
      ) : null}
      <Confirm
        open={deleting !== null}
        onClose={() => setDeleting(null)}
        title="Delete this backup?"
        effect="It is removed from the store for good."
        action="Delete"
        run={() => remove.mutateAsync(deleting!)}
      />
    </div>
  );
}
