import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { answer, api } from '../../api/client';
import { useCan } from '../../api/session';
import type { ApiKey } from '../../api/types';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Confirm } from '../../ui/dialogs/confirm';
import { EmptyState, Loading } from '../../ui/empty-state';
import { ProblemNotice } from '../../ui/notice';
import { Page } from '../../ui/page';
import { Table } from '../../ui/table';
import { Time } from '../../ui/figures/time';
import { NewKey } from './new-key';

export function KeyList(): ReactNode {
  const client = useQueryClient();
  const [creating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const canCreate = useCan('api_keys:create');
  const canDelete = useCan('api_keys:delete');
  const { data, error } = useQuery({ queryKey: ['keys'], queryFn: () => answer(api.GET('/api/v1/api-keys')) });
  const revoke = useMutation({
    mutationFn: (id: string) => api.DELETE('/api/v1/api-keys/{id}', { params: { path: { id } } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['keys'] }),
  });
  return (
    <Page
      title="API keys"
      actions={
        canCreate ? (
          <Button look="primary" onClick={() => setCreating(true)}>
            New key
          </Button>
        ) : null
      }
    >
      <ProblemNotice error={error} />
      {!data && !error ? <Loading what="keys" /> : null}
      {data?.keys.length === 0 ? (
        <EmptyState title="You have no API keys.">
          <p>A key lets a script or an agent use the API in your name. Make one for each of them.</p>
        </EmptyState>
      ) : null}
      {data && data.keys.length > 0 ? (
        <Table
          caption="API keys"
          rows={data.keys}
          keyOf={({ id }) => id}
          columns={[
            { title: 'Name', grows: true, cell: ({ name }) => <span className="font-medium">{name}</span> },
            {
              title: 'Begins with',
              wide: true,
              cell: ({ prefix }) => <code className="font-mono text-xs">{prefix}</code>,
            },
            { title: 'Role', widest: true, cell: ({ role }) => role },
            { title: 'State', cell: (key) => <KeyState apiKey={key} /> },
            { title: 'Last used', wide: true, cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
            {
              title: 'Expires',
              widest: true,
              cell: ({ expiresAt }) => (expiresAt ? <Time at={expiresAt} /> : 'never'),
            },
            {
              title: 'Actions',
              quiet: true,
              cell: (key) =>
                canDelete && !key.revokedAt ? (
                  <Button look="danger" aria-label={`Revoke ${key.name}`} onClick={() => setRevoking(key)}>
                    Revoke
                  </Button>
                ) : null,
            },
          ]}
        />
      ) : null}
      <NewKey open={creating} onClose={() => setCreating(false)} />
      <Confirm
        open={revoking !== null}
        onClose={() => setRevoking(null)}
        title={`Revoke ${revoking?.name ?? ''}?`}
        effect="Whatever uses this key is refused from now on, open connections included. This cannot be undone."
        action="Revoke"
        run={() => revoke.mutateAsync(revoking!.id)}
      />
    </Page>
  );
}

function KeyState({ apiKey: { revokedAt, expiresAt } }: { apiKey: ApiKey }) {
  if (revokedAt) return <Badge tone="neutral">revoked</Badge>;
  if (expiresAt && Date.parse(expiresAt) < Date.now()) return <Badge tone="neutral">expired</Badge>;
  return <Badge tone="good">active</Badge>;
}
