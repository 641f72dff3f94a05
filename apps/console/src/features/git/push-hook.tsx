import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api } from '../../api/client';
import { useCan } from '../../api/session';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { Confirm } from '../../ui/dialogs/confirm';
import { CopyText } from '../../ui/copy-text';
import { Loading } from '../../ui/empty-state';
import { Notice, ProblemNotice } from '../../ui/notice';
import { Time } from '../../ui/figures/time';
import { hookQuery } from './queries';

/** The address that a Git host calls after a push. Its secret is shown once, when it is made. */
export function PushHook({ id }: { id: string }) {
  const client = useQueryClient();
  const canWrite = useCan('services:update');
  const { data: hook, error } = useQuery(hookQuery(id));
  const [asked, setAsked] = useState<'rotate' | 'remove' | null>(null);
  const path = { id };
  const refresh = () => client.invalidateQueries({ queryKey: hookQuery(id).queryKey });
  const make = useMutation({
    mutationFn: () => answer(api.POST('/api/v1/services/{id}/hook', { params: { path } })),
    onSuccess: refresh,
  });
  const remove = useMutation({
    mutationFn: () => api.DELETE('/api/v1/services/{id}/hook', { params: { path } }),
    onSuccess: () => {
      make.reset();
      return refresh();
    },
  });
  return (
    <Card
      title="Deploy with every push"
      actions={
        hook && canWrite ? (
          <>
            <Button onClick={() => setAsked('rotate')}>New secret</Button>
            <Button look="danger" onClick={() => setAsked('remove')}>
              Remove the hook
            </Button>
          </>
        ) : null
      }
    >
      <div className="grid grid-cols-1 gap-3 text-sm">
        <ProblemNotice error={error ?? make.error} />
        {hook === undefined && !error ? <Loading what="the hook" /> : null}
        {hook === null ? (
          <>
            <p className="text-quiet">
              A hook is an address that GitHub, GitLab, Gitea or Bitbucket calls after a push. The pushed commit is then
              built and deployed.
            </p>
            {canWrite ? (
              <div>
                <Button look="primary" busy={make.isPending} onClick={() => make.mutate()}>
                  Make a hook
                </Button>
              </div>
            ) : null}
          </>
        ) : null}
        {hook ? (
          <>
            <p className="text-quiet">
              Enter this address at the Git host, with content type application/json. Made <Time at={hook.createdAt} />.
            </p>
            <CopyText label="Address of the hook" text={hook.url} />
          </>
        ) : null}
        {make.data ? (
          <Notice tone="warn">
            <p className="mb-2">The secret, for the Git host. Copy it now: it is not shown again.</p>
            <CopyText label="Secret of the hook" text={make.data.secret} />
          </Notice>
        ) : null}
      </div>
      <Confirm
        open={asked === 'rotate'}
        onClose={() => setAsked(null)}
        title="Make a new secret?"
        effect="The old one stops working at once: pushes are refused until the Git host has the new one. The address stays."
        action="Make a new secret"
        run={() => make.mutateAsync()}
      />
      <Confirm
        open={asked === 'remove'}
        onClose={() => setAsked(null)}
        title="Remove the hook?"
        effect="Pushes are no longer deployed. A new hook gets another address."
        action="Remove"
        run={() => remove.mutateAsync()}
      />
    </Card>
  );
}
