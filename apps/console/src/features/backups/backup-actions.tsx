import { useMutation } from '@tanstack/react-query';
import { answer, api } from '../../api/client';
import { useSession } from '../../api/session';
import type { Backup } from '../../api/types';
import { Button, buttonClass } from '../../ui/button';
import { ProblemNotice } from '../../ui/notice';
import { isOpen } from './queries';

interface Props {
  readonly backup: Backup;
  readonly onRestore: (backup: Backup) => void;
  readonly onDelete: (backup: Backup) => void;
  readonly onChanged: () => Promise<unknown>;
}

export function BackupActions({ backup, onRestore, onDelete, onChanged }: Props) {
  const { user, permissions } = useSession();
  const verify = useMutation({
    mutationFn: () => answer(api.POST('/api/v1/backups/{id}/verify', { params: { path: { id: backup.id } } })),
    onSuccess: onChanged,
  });
  const isMade = backup.status === 'succeeded';
  const area = user.role === 'admin' ? '/api/v1' : '/api/v1/portal';
  const of = `of ${backup.createdAt}`;
  return (
    <div className="flex flex-wrap gap-1.5 sm:min-w-48 sm:justify-end xl:flex-nowrap">
      {isMade && permissions.has('backups:restore') ? (
        <>
          <Button aria-label={`Restore the backup ${of}`} onClick={() => onRestore(backup)}>
            Restore
          </Button>
          <a
            className={buttonClass()}
            aria-label={`Download the backup ${of}`}
            href={`${area}/backups/${backup.id}/download`}
          >
            Download
          </a>
        </>
      ) : null}
      {isMade && !isOpen(backup) && permissions.has('backups:create') ? (
        <Button aria-label={`Test the backup ${of}`} busy={verify.isPending} onClick={() => verify.mutate()}>
          Test
        </Button>
      ) : null}
      {!isOpen(backup) && permissions.has('backups:delete') ? (
        <Button look="danger" aria-label={`Delete the backup ${of}`} onClick={() => onDelete(backup)}>
          Delete
        </Button>
      ) : null}
      <ProblemNotice error={verify.error} />
    </div>
  );
}
