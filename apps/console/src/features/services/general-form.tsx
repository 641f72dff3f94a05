import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api } from '../../api/client';
import { Problem } from '../../api/problem';
import type { Service } from '../../api/types';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { TextField } from '../../ui/field';
import { ProblemNotice } from '../../ui/notice';
import { useToast } from '../../ui/toasts';

/** Name and description: nothing has to be deployed for them. */
export function GeneralForm({ service }: { service: Service }) {
  const client = useQueryClient();
  const toast = useToast();
  const [name, setName] = useState(service.name);
  const [description, setDescription] = useState(service.description ?? '');
  const save = useMutation({
    mutationFn: () =>
      answer(
        api.PATCH('/api/v1/services/{id}', {
          params: { path: { id: service.id } },
          body: { name, description: description || null },
        }),
      ),
    onSuccess: async () => {
      toast('Saved.');
      await client.invalidateQueries({ queryKey: ['service', service.id] });
    },
  });
  const problem = save.error instanceof Problem ? save.error : null;
  return (
    <Card title="Name">
      <form
        className="grid grid-cols-1 gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
          <TextField label="Name" required value={name} onChange={setName} error={problem?.at('/name')} />
          <TextField
            label="Description"
            value={description}
            onChange={setDescription}
            error={problem?.at('/description')}
          />
        </div>
        <ProblemNotice error={save.error} />
        <div>
          <Button type="submit" busy={save.isPending}>
            Save
          </Button>
        </div>
      </form>
    </Card>
  );
}
