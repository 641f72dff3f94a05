import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Problem } from '../../api/problem';
import { cloneService } from '../../api/limits';
import { Dialog } from '../../ui/dialogs/dialog';
import { DialogActions } from '../../ui/dialogs/dialog-actions';
import { TextField } from '../../ui/forms/field';
import { Form } from '../../ui/forms/form';
import { ProblemNotice } from '../../ui/notice';

interface Props {
  readonly title: string;
  /** What the new service will hold. */
  readonly holds: ReactNode;
  readonly suggestion: string;
  readonly action: string;
  /** Asks for the new service. */
  readonly make: (name: string) => Promise<unknown>;
  readonly onClose: () => void;
  readonly onAccepted: () => void;
}

/** Data of a database in a new service beside it. */
export function NewCopy({ title, holds, suggestion, action, make, onClose, onAccepted }: Props) {
  const [name, setName] = useState(suggestion);
  const copy = useMutation({
    mutationFn: () => make(name),
    onSuccess: onAccepted,
  });
  const problem = copy.error instanceof Problem ? copy.error : null;
  return (
    <Dialog open onClose={onClose} title={title} description={holds}>
      <Form onSubmit={() => copy.mutate()}>
        <TextField
          label="Name of the new service"
          limit={cloneService.name}
          value={name}
          onChange={setName}
          hint="The new service has its own password. The present database is not changed."
          error={problem?.at('/name')}
        />
        {/* A moment that the window does not have is told here: this dialog has no field for it. */}
        <ProblemNotice error={copy.error} />
        <DialogActions action={action} onCancel={onClose} busy={copy.isPending} />
      </Form>
    </Dialog>
  );
}
