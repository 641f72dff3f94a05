import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api } from '../../api/client';
import { createApiKey } from '../../api/limits';
import { Problem } from '../../api/problem';
import { useSession } from '../../api/session';
import { Button } from '../../ui/button';
import { CopyText } from '../../ui/copy-text';
import { Dialog } from '../../ui/dialogs/dialog';
import { DialogActions } from '../../ui/dialogs/dialog-actions';
import { SelectField, TextField } from '../../ui/forms/field';
import { Form } from '../../ui/forms/form';
import { ProblemNotice } from '../../ui/notice';

const SCOPES = [
  ['', 'Everything the role may do'],
  ['read', 'Reading only'],
] as const;
const DAY_MS = 86_400_000;
/** Of our own: the document knows a time. */
const DAYS = { minimum: 1, maximum: 36_500 };

/** Makes a key and shows it, this one time. */
export function NewKey({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { user } = useSession();
  const client = useQueryClient();
  const [name, setName] = useState('');
  const [role, setRole] = useState<'admin' | 'customer'>(user.role);
  const [scope, setScope] = useState('');
  const [days, setDays] = useState('');
  const create = useMutation({
    mutationFn: () =>
      answer(
        api.POST('/api/v1/api-keys', {
          body: {
            name,
            role,
            ...(scope && { scopes: [scope] }),
            ...(days && { expiresAt: new Date(Date.now() + Number(days) * DAY_MS).toISOString() }),
          } as never,
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: ['keys'] }),
  });
  const problem = create.error instanceof Problem ? create.error : null;
  const close = () => {
    create.reset();
    setName('');
    onClose();
  };
  if (create.data)
    return (
      <Dialog open={open} onClose={close} title="Your new key" description="Copy it now: it is not shown again.">
        <CopyText label="API key" text={create.data.key} />
        <div className="mt-4 flex justify-end">
          <Button look="primary" onClick={close}>
            Done
          </Button>
        </div>
      </Dialog>
    );
  return (
    <Dialog open={open} onClose={close} title="New API key">
      <Form onSubmit={() => create.mutate()}>
        <TextField
          label="Name"
          limit={createApiKey.name}
          value={name}
          onChange={setName}
          error={problem?.at('/name')}
          hint="What will use it, for instance “backup script”."
        />
        {user.role === 'admin' ? (
          <SelectField label="Role" value={role} onChange={(value) => setRole(value as 'admin' | 'customer')}>
            <option>admin</option>
            <option>customer</option>
          </SelectField>
        ) : null}
        <SelectField label="May do" value={scope} onChange={setScope} error={problem?.at('/scopes')}>
          {SCOPES.map(([value, title]) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </SelectField>
        <TextField
          label="Expires after (days)"
          limit={DAYS}
          inputMode="numeric"
          placeholder="never"
          value={days}
          onChange={setDays}
          error={problem?.at('/expiresAt')}
        />
        <ProblemNotice error={create.error} />
        <DialogActions action="Create" onCancel={close} busy={create.isPending} />
      </Form>
    </Dialog>
  );
}
