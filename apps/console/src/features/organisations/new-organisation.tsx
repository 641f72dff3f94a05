import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { answer, api } from '../../api/client';
import { createOrganisation } from '../../api/limits';
import { Problem } from '../../api/problem';
import { Dialog } from '../../ui/dialogs/dialog';
import { DialogActions } from '../../ui/dialogs/dialog-actions';
import { TextField } from '../../ui/forms/field';
import { Form } from '../../ui/forms/form';
import { ProblemNotice } from '../../ui/notice';

interface Props {
  readonly onClose: () => void;
  /** The organisation that the new one stands below. */
  readonly parent?: { readonly id: string; readonly name: string };
}

export function NewOrganisation({ onClose, parent }: Props) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const create = useMutation({
    mutationFn: () =>
      answer(api.POST('/api/v1/organisations', { body: { name, ...(parent && { parentId: parent.id }) } })),
    onSuccess: async ({ id }) => {
      await client.invalidateQueries({ queryKey: ['organisations'] });
      onClose();
      await navigate({ to: '/organisations/$id', params: { id } });
    },
  });
  const problem = create.error instanceof Problem ? create.error : null;
  return (
    <Dialog
      open
      onClose={onClose}
      title={parent ? `New sub-organisation of ${parent.name}` : 'New organisation'}
      description="Next, you add its members on its page."
    >
      <Form onSubmit={() => create.mutate()}>
        <TextField
          label="Name"
          limit={createOrganisation.name}
          value={name}
          onChange={setName}
          error={problem?.at('/name')}
        />
        <ProblemNotice error={create.error} />
        <DialogActions action="Create" onCancel={onClose} busy={create.isPending} />
      </Form>
    </Dialog>
  );
}
