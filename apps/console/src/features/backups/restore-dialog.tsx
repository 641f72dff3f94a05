import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api } from '../../api/client';
import { restoreBackup } from '../../api/limits';
import { Problem } from '../../api/problem';
import type { Backup } from '../../api/types';
import { Dialog } from '../../ui/dialogs/dialog';
import { DialogActions } from '../../ui/dialogs/dialog-actions';
import { SelectField, TextField } from '../../ui/forms/field';
import { Form } from '../../ui/forms/form';
import { momentInWords } from '../../ui/forms/moment-field';
import { Notice, ProblemNotice } from '../../ui/notice';
import { serviceQuery } from '../services/queries';

interface Props {
  readonly serviceId: string;
  readonly backup: Backup;
  readonly onClose: () => void;
  readonly onAccepted: () => void;
}

/** Into a new service, which harms nobody, or over the data of this one, which needs its name typed. */
export function RestoreDialog({ serviceId, backup, onClose, onAccepted }: Props) {
  const { data: service } = useQuery(serviceQuery(serviceId));
  const [into, setInto] = useState<'new' | 'same'>('new');
  const [name, setName] = useState(service ? `${service.name}, restored` : '');
  const [confirm, setConfirm] = useState('');
  const restore = useMutation({
    mutationFn: () => {
      const target = into === 'same' ? { into, confirm } : { into, ...(name && { name }) };
      const body = { backupId: backup.id, ...target };
      return answer(api.POST('/api/v1/services/{id}/restore', { params: { path: { id: serviceId } }, body }));
    },
    onSuccess: onAccepted,
  });
  const problem = restore.error instanceof Problem ? restore.error : null;
  const made = momentInWords(Date.parse(backup.createdAt));
  return (
    <Dialog open onClose={onClose} title={`Restore the backup of ${made}`}>
      <Form onSubmit={() => restore.mutate()}>
        {backup.verification?.status === 'verified' ? null : (
          <Notice tone="warn">
            This backup was not tested yet: it may turn out to be incomplete. You can test it first.
          </Notice>
        )}
        {backup.kind === 'base' ? (
          <p className="text-sm">
            A new service gets the data as they were when this copy was complete. For a later moment, see “Go back to a
            moment”.
          </p>
        ) : (
          <SelectField
            label="Restore into"
            value={into}
            onChange={(value) => setInto(value === 'same' ? 'same' : 'new')}
          >
            <option value="new">a new service beside this one</option>
            <option value="same">this service, in place of its present data</option>
          </SelectField>
        )}
        {into === 'new' ? (
          <TextField
            label="Name of the new service"
            limit={restoreBackup.name}
            hint="The new service has its own password. This one keeps running and is not changed."
            value={name}
            onChange={setName}
            error={problem?.at('/name')}
          />
        ) : (
          <>
            <p className="text-sm">
              What was written after this backup disappears from this database. To be safe, the present data are backed
              up first, and they are replaced only when the restored data have been checked.
            </p>
            <TextField
              label={`Type ${service?.name ?? 'the name of the service'} to confirm`}
              autoComplete="off"
              value={confirm}
              onChange={setConfirm}
              error={problem?.at('/confirm')}
            />
          </>
        )}
        <ProblemNotice error={restore.error} />
        <DialogActions
          action={into === 'same' ? 'Replace the data' : 'Restore'}
          onCancel={onClose}
          busy={restore.isPending}
          disabled={into === 'same' && confirm !== service?.name}
          danger={into === 'same'}
        />
      </Form>
    </Dialog>
  );
}
