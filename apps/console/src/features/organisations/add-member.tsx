import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api } from '../../api/client';
import { addMember as addMemberLimits } from '../../api/limits';
import { Problem } from '../../api/problem';
import type { Permission } from '../../api/types';
import { Dialog } from '../../ui/dialogs/dialog';
import { DialogActions } from '../../ui/dialogs/dialog-actions';
import { SelectField, TextField } from '../../ui/forms/field';
import { Form } from '../../ui/forms/form';
import { ProblemNotice } from '../../ui/notice';
import { useToast } from '../../ui/toasts';

const READING: readonly Permission[] = [
  'services:read',
  'services.logs:read',
  'services.metrics:read',
  'deployments:read',
  'templates:read',
  'backups:read',
  'domains:read',
  'usage:read',
  'org.members:read',
];

/** The same request adds somebody and changes what a member may do. */
export function AddMember({
  organisation: { id, name },
  onClose,
}: {
  organisation: { readonly id: string; readonly name: string };
  onClose: () => void;
}) {
  const client = useQueryClient();
  const toast = useToast();
  const [email, setEmail] = useState('');
  const [reach, setReach] = useState<'all' | 'read'>('all');
  const add = useMutation({
    mutationFn: () => {
      const body = { email, permissions: reach === 'all' ? null : [...READING] };
      return answer(api.POST('/api/v1/organisations/{id}/members', { params: { path: { id } }, body }));
    },
    onSuccess: async (member) => {
      await client.invalidateQueries({ queryKey: ['organisations'] });
      toast(
        member.hasSignedIn
          ? `${member.email} is a member now.`
          : `${member.email} becomes a member at the first sign-in with this address.`,
      );
      onClose();
    },
  });
  const problem = add.error instanceof Problem ? add.error : null;
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Add a member to ${name}`}
      description="No e-mail is sent: tell them to sign in with this address. If they are a member already, this changes what they may do."
    >
      <Form onSubmit={() => add.mutate()}>
        <TextField
          label="E-mail"
          type="email"
          limit={addMemberLimits.email}
          autoComplete="off"
          value={email}
          onChange={setEmail}
          error={problem?.at('/email')}
        />
        <SelectField label="May do" value={reach} onChange={(value) => setReach(value === 'read' ? 'read' : 'all')}>
          <option value="all">Everything a customer may do</option>
          <option value="read">Look only: no secrets, no changes</option>
        </SelectField>
        <ProblemNotice error={add.error} />
        <DialogActions action="Add" onCancel={onClose} busy={add.isPending} />
      </Form>
    </Dialog>
  );
}
