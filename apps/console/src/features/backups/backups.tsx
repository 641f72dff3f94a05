import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { answer, api } from '../../api/client';
import { useCan } from '../../api/session';
import type { Backup } from '../../api/types';
import { bytes } from '../../ui/figures/amounts';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { Confirm } from '../../ui/dialogs/confirm';
import { EmptyState, Loading } from '../../ui/empty-state';
import { ProblemNotice } from '../../ui/notice';
import { Pager } from '../../ui/pager';
import { Table } from '../../ui/table';
import { Time } from '../../ui/figures/time';
import { useToast } from '../../ui/toasts';
import { serviceQuery } from '../services/queries';
import { templatesQuery } from '../templates/queries';
import { BackupActions } from './backup-actions';
import { BackupPolicy } from './backup-policy';
import { BackupState } from './backup-state';
import { CloneDatabase } from './clone-database';
import { PointInTime } from './point-in-time';
import { backupsQuery } from './queries';
import { RestoreDialog } from './restore-dialog';
import { RestoreProgress } from './restore-progress';

const TRIGGERS: Readonly<Record<Backup['trigger'], string>> = {
  manual: 'by hand',
  schedule: 'schedule',
  'pre-restore': 'before a restore',
  'pre-delete': 'before a deletion',
};

const NoBackups = () => (
  <EmptyState title="This service has no backups.">
    <p className="max-w-prose">
      The panel backs up databases that were made from a template. What other services keep in their volumes is not
      backed up: keep it in such a database, or copy it yourself.
    </p>
  </EmptyState>
);

/** What can be brought back of a database, when it is made, and the way back. */
export function Backups({ id }: { id: string }): ReactNode {
  const client = useQueryClient();
  const toast = useToast();
  const canCreate = useCan('backups:create');
  const canRestore = useCan('backups:restore');
  const canReadTemplates = useCan('templates:read');
  const [page, setPage] = useState(1);
  const [restoring, setRestoring] = useState<Backup | null>(null);
  const [deleting, setDeleting] = useState<Backup | null>(null);
  const [cloning, setCloning] = useState(false);
  const { data: service } = useQuery(serviceQuery(id));
  const { data: templates } = useQuery({ ...templatesQuery, enabled: canReadTemplates });
  const template = templates?.data.find(({ slug }) => slug === service?.templateName);
  const { data, error } = useQuery(backupsQuery(id, page));
  const refresh = () => client.invalidateQueries({ queryKey: ['service', id] });
  const make = useMutation({
    mutationFn: () => answer(api.POST('/api/v1/services/{id}/backups', { params: { path: { id } } })),
    onSuccess: async () => {
      toast('The backup is being made. When it is there, it is restored once as a test.');
      await refresh();
    },
  });
  const remove = useMutation({
    mutationFn: (backup: Backup) => api.DELETE('/api/v1/backups/{id}', { params: { path: { id: backup.id } } }),
    onSuccess: refresh,
  });
  if (service && service.deploymentType !== 'template') return <NoBackups />;
  const problem = error ?? make.error;
  const isRunning = service?.status === 'running';
  const follow = () => {
    setRestoring(null);
    setCloning(false);
    toast('The restore has begun. Its progress is shown at the top of this page.');
    void refresh();
  };
  return (
    <div className="grid grid-cols-1 gap-5">
      <RestoreProgress id={id} />
      <Card
        flush
        title="Backups"
        actions={
          <>
            {canRestore && service ? <Button onClick={() => setCloning(true)}>Clone this database</Button> : null}
            {canCreate ? (
              <Button look="primary" busy={make.isPending} disabled={!isRunning} onClick={() => make.mutate()}>
                Make a backup now
              </Button>
            ) : null}
          </>
        }
      >
        {problem ? (
          <div className="p-4">
            <ProblemNotice error={problem} />
          </div>
        ) : null}
        {service && !isRunning && canCreate ? (
          <p className="text-quiet px-4 pt-4 text-sm">Only a service that runs can be backed up.</p>
        ) : null}
        {!data && !error ? <Loading what="backups" /> : null}
        {data?.data.length === 0 ? (
          <p className="text-quiet p-4 text-sm">
            There is no backup yet. If data are deleted now, they cannot be brought back. Make a backup now, and choose
            below how often one is made.
          </p>
        ) : null}
        {data && data.data.length > 0 ? (
          <Table
            plain
            stacks
            caption="Backups"
            rows={data.data}
            keyOf={({ id: backup }) => backup}
            columns={[
              { title: 'Made', cell: ({ createdAt }) => <Time at={createdAt} exact /> },
              { title: 'State', grows: true, cell: (backup) => <BackupState backup={backup} /> },
              {
                title: 'Reason',
                widest: true,
                cell: ({ kind, trigger }) => (
                  <span className="whitespace-nowrap">
                    {kind === 'base' ? 'going back to a moment' : TRIGGERS[trigger]}
                  </span>
                ),
              },
              {
                title: 'Size',
                wide: true,
                cell: ({ sizeBytes }) => <span className="whitespace-nowrap">{bytes(sizeBytes)}</span>,
              },
              {
                title: 'Kept until',
                widest: true,
                cell: ({ expiresAt, status, kind }) =>
                  expiresAt ? (
                    <Time at={expiresAt} />
                  ) : status === 'succeeded' ? (
                    <span className="whitespace-nowrap">
                      {kind === 'base' ? 'a week after the next' : 'the next good one'}
                    </span>
                  ) : (
                    '–'
                  ),
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
      {service && template?.backup.supportsPitr ? (
        <PointInTime service={service} database={template.name} onAccepted={follow} />
      ) : null}
      <BackupPolicy id={id} />
      {restoring ? (
        <RestoreDialog serviceId={id} backup={restoring} onClose={() => setRestoring(null)} onAccepted={follow} />
      ) : null}
      {cloning && service ? (
        <CloneDatabase service={service} onClose={() => setCloning(false)} onAccepted={follow} />
      ) : null}
      <Confirm
        open={deleting !== null}
        onClose={() => setDeleting(null)}
        title="Delete this backup?"
        effect="The backup is deleted and can no longer be restored."
        action="Delete"
        run={() => remove.mutateAsync(deleting!)}
      />
    </div>
  );
}
