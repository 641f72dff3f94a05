import { useState } from 'react';
import { Problem } from '../../../api/problem';
import { updateService } from '../../../api/limits';
import type { Service } from '../../../api/types';
import { Button } from '../../../ui/button';
import { Card } from '../../../ui/card';
import { TextField } from '../../../ui/forms/field';
import { Form } from '../../../ui/forms/form';
import { ProblemNotice } from '../../../ui/notice';
import { useChange } from './use-change';

/** Name and description: nothing has to be deployed for them. */
export function GeneralForm({ service }: { service: Service }) {
  const [name, setName] = useState(service.name);
  const [description, setDescription] = useState(service.description ?? '');
  const save = useChange(service.id);
  const isChanged = name !== service.name || description !== (service.description ?? '');
  const problem = save.error instanceof Problem ? save.error : null;
  return (
    <Card title="Name and description">
      <Form onSubmit={() => save.mutate({ name, description: description || null })}>
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
          <TextField
            label="Name"
            required
            limit={updateService.name}
            value={name}
            onChange={setName}
            error={problem?.at('/name')}
          />
          <TextField
            label="Description"
            limit={updateService.description}
            value={description}
            onChange={setDescription}
            error={problem?.at('/description')}
          />
        </div>
        <ProblemNotice error={save.error} />
        <div>
          <Button type="submit" busy={save.isPending} disabled={!isChanged}>
            Save
          </Button>
        </div>
      </Form>
    </Card>
  );
}
