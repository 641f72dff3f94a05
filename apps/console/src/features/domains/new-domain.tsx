import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api } from '../../api/client';
import { addDomain } from '../../api/limits';
import { numberIn } from '../../api/number-in';
import { Problem } from '../../api/problem';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { TextField } from '../../ui/forms/field';
import { Form } from '../../ui/forms/form';
import { ProblemNotice } from '../../ui/notice';

export function NewDomain({ serviceId }: { serviceId: string }) {
  const client = useQueryClient();
  const [host, setHost] = useState('');
  const [targetService, setTargetService] = useState('');
  const [targetPort, setTargetPort] = useState('');
  const add = useMutation({
    mutationFn: () =>
      answer(
        api.POST('/api/v1/services/{id}/domains', {
          params: { path: { id: serviceId } },
          body: {
            host,
            ...(targetService && { targetService }),
            ...(targetPort && { targetPort: numberIn(targetPort) }),
          },
        }),
      ),
    onSuccess: async () => {
      setHost('');
      await client.invalidateQueries({ queryKey: ['service', serviceId] });
    },
  });
  const problem = add.error instanceof Problem ? add.error : null;
  return (
    <Card title="Add a domain">
      <Form onSubmit={() => add.mutate()}>
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-3">
          <TextField
            label="Name"
            limit={addDomain.host}
            placeholder="shop.example.com"
            value={host}
            onChange={setHost}
            error={problem?.at('/host')}
          />
          <TextField
            label="Container"
            limit={addDomain.targetService}
            placeholder="automatic"
            hint="Its name in the compose file. Only needed when there are several."
            value={targetService}
            onChange={setTargetService}
            error={problem?.at('/targetService')}
          />
          <TextField
            label="Port"
            limit={addDomain.targetPort}
            inputMode="numeric"
            placeholder="automatic"
            value={targetPort}
            onChange={setTargetPort}
            error={problem?.at('/targetPort')}
          />
        </div>
        <ProblemNotice error={add.error} />
        <div>
          <Button type="submit" look="primary" busy={add.isPending}>
            Add
          </Button>
        </div>
      </Form>
    </Card>
  );
}
