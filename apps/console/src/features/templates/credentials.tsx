import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { answer, api } from '../../api/client';
import { useCan } from '../../api/session';
import { Button } from '../../ui/button';
import { Card, Facts } from '../../ui/card';
import { Confirm } from '../../ui/dialogs/confirm';
import { CopyText } from '../../ui/copy-text';
import { Loading } from '../../ui/empty-state';
import { Notice, ProblemNotice } from '../../ui/notice';
import { useToast } from '../../ui/toasts';
import { credentialsQuery } from './queries';

/** How to reach the database of a service. Secrets are shown on request alone, and each look is recorded. */
export function Credentials({ id }: { id: string }): ReactNode {
  const client = useQueryClient();
  const toast = useToast();
  const canReveal = useCan('credentials:reveal');
  const [rotating, setRotating] = useState(false);
  const { data, error } = useQuery(credentialsQuery(id));
  const path = { id };
  const reveal = useMutation({
    mutationFn: () => answer(api.POST('/api/v1/services/{id}/credentials/reveal', { params: { path } })),
  });
  const rotate = useMutation({
    mutationFn: () => answer(api.POST('/api/v1/services/{id}/credentials/rotate', { params: { path } })),
    onSuccess: async () => {
      reveal.reset();
      toast('The password was changed. Give the new one to whatever uses this database.');
      await client.invalidateQueries({ queryKey: credentialsQuery(id).queryKey });
    },
  });
  if (error) return <ProblemNotice error={error} />;
  if (!data) return <Loading what="credentials" />;
  const shown = reveal.data ?? data;
  const secret = shown.apiKey ?? shown.password;
  const secretName = shown.apiKey ? 'API key' : 'Password';
  return (
    <Card
      title="Credentials"
      actions={
        canReveal ? (
          <>
            {reveal.data ? (
              <Button onClick={() => reveal.reset()}>Hide</Button>
            ) : (
              <Button busy={reveal.isPending} onClick={() => reveal.mutate()}>
                {data.apiKey ? 'Show the API key' : 'Show the password'}
              </Button>
            )}
            <Button look="danger" onClick={() => setRotating(true)}>
              Change the password
            </Button>
          </>
        ) : null
      }
    >
      <div className="grid grid-cols-1 gap-4">
        <Notice tone="busy">
          The audit log records who has the {data.apiKey ? 'API key' : 'password'} shown, and when.
        </Notice>
        <p className="text-quiet text-sm">
          Your other services reach this database under this host. Give your application the connection string as a
          variable, such as DATABASE_URL, under its Variables.
        </p>
        <ProblemNotice error={reveal.error} />
        <Facts
          facts={[
            ['Host', shown.host],
            ['Port', shown.port],
            ['Database', shown.database ?? undefined],
            ['User', shown.username ?? undefined],
            ...(reveal.data
              ? []
              : ([
                  [secretName, secret],
                  ['Connection string', shown.connectionString],
                ] as const)),
          ]}
        />
        {reveal.data && secret ? <CopyText label={secretName} text={secret} /> : null}
        {reveal.data && shown.connectionString ? (
          <CopyText label="Connection string" text={shown.connectionString} />
        ) : null}
      </div>
      <Confirm
        open={rotating}
        onClose={() => setRotating(false)}
        title="Change the password?"
        effect="The old password stops working at once. Whatever uses this database has to be given the new one."
        action="Change the password"
        run={() => rotate.mutateAsync()}
      />
    </Card>
  );
}
