import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { answer, api } from '../../../api/client';
import { useCan } from '../../../api/session';
import { Badge } from '../../../ui/badge';
import { Button } from '../../../ui/button';
import { Card } from '../../../ui/card';
import { Confirm } from '../../../ui/dialogs/confirm';
import { ProblemNotice } from '../../../ui/notice';
import { Table } from '../../../ui/table';
import { Time } from '../../../ui/figures/time';
import { versionsQuery } from '../queries';

/** Every version of a service, and the way back to one. */
export function VersionList({ id }: { id: string }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const canDeploy = useCan('services:deploy');
  const { data, error } = useQuery(versionsQuery(id));
  const [asked, setAsked] = useState<{ number: number; deploymentId: string } | null>(null);
  const rollback = useMutation({
    mutationFn: (deploymentId: string) =>
      answer(api.POST('/api/v1/services/{id}/rollback', { params: { path: { id } }, body: { deploymentId } })),
    onSuccess: async ({ deploymentId }) => {
      await client.invalidateQueries({ queryKey: ['service', id] });
      if (deploymentId) await navigate({ to: '/services/$id/deployments/$deploymentId', params: { id, deploymentId } });
    },
  });
  return (
    <Card flush title="Versions">
      <ProblemNotice error={error} />
      {data ? (
        <Table
          plain
          stacks
          caption="Versions"
          rows={data.data}
          keyOf={({ number }) => String(number)}
          columns={[
            {
              title: 'Version',
              cell: ({ number, current }) => (
                <span className="flex flex-wrap items-center gap-2">
                  <span>
                    <span className="sm:hidden">Version </span>
                    {number}
                  </span>
                  {current ? <Badge tone="good">in use</Badge> : null}
                </span>
              ),
            },
            { title: 'Made', grows: true, cell: ({ createdAt }) => <Time at={createdAt} exact /> },
            {
              title: 'Actions',
              quiet: true,
              cell: ({ number, current, deploymentId }) =>
                canDeploy && !current && deploymentId ? (
                  <Button
                    aria-label={`Go back to version ${number}`}
                    onClick={() => setAsked({ number, deploymentId })}
                  >
                    Go back
                  </Button>
                ) : null,
            },
          ]}
        />
      ) : null}
      <Confirm
        open={asked !== null}
        onClose={() => setAsked(null)}
        title={`Go back to version ${asked?.number ?? ''}?`}
        effect="Its compose file, variables and images are deployed again. Data in volumes stays as it is."
        action="Go back"
        run={() => rollback.mutateAsync(asked!.deploymentId)}
      />
    </Card>
  );
}
