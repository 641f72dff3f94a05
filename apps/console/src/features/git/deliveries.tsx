import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { answer, api } from '../../api/client';
import { useCan } from '../../api/session';
import type { HookDelivery } from '../../api/types';
import { Badge, type Tone } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { Loading } from '../../ui/empty-state';
import { ProblemNotice } from '../../ui/notice';
import { Table } from '../../ui/table';
import { Time } from '../../ui/figures/time';
import { useToast } from '../../ui/toasts';
import { deliveriesQuery } from './queries';

const TONES: Readonly<Record<HookDelivery['outcome'], Tone>> = {
  deployed: 'good',
  duplicate: 'neutral',
  ignored: 'neutral',
  removed: 'neutral',
  refused: 'bad',
};

/** What Git hosts have sent, and what became of it. */
export function Deliveries({ id }: { id: string }) {
  const client = useQueryClient();
  const toast = useToast();
  const canDeploy = useCan('services:deploy');
  const { data, error } = useQuery(deliveriesQuery(id));
  const repeat = useMutation({
    mutationFn: (deliveryId: string) => {
      const path = { id, deliveryId };
      return answer(api.POST('/api/v1/services/{id}/hook-deliveries/{deliveryId}/redeliver', { params: { path } }));
    },
    onSuccess: async ({ outcome }) => {
      toast(`Delivered again: ${outcome}.`);
      await client.invalidateQueries({ queryKey: ['service', id] });
    },
  });
  return (
    <Card flush title="Pushes that arrived">
      {error || repeat.error ? (
        <div className="p-4">
          <ProblemNotice error={error ?? repeat.error} />
        </div>
      ) : null}
      {!data && !error ? <Loading what="deliveries" /> : null}
      {data?.data.length === 0 ? (
        <p className="text-quiet p-4 text-sm">
          No push has arrived yet. Make a hook above, enter its address at the Git host, and push a commit.
        </p>
      ) : null}
      {data && data.data.length > 0 ? (
        <Table
          plain
          stacks
          caption="Deliveries"
          rows={data.data}
          keyOf={({ id: delivery }) => delivery}
          columns={[
            { title: 'Received', cell: ({ receivedAt }) => <Time at={receivedAt} exact /> },
            {
              title: 'What',
              wide: true,
              cell: ({ provider, event, ref, commitSha, pullRequest }) => (
                <span>
                  {provider} {event}
                  <span className="text-quiet block text-xs">
                    {pullRequest === null ? '' : `Pull request ${pullRequest}, `}
                    {ref ?? ''} {commitSha ? <code className="font-mono">{commitSha.slice(0, 12)}</code> : null}
                  </span>
                </span>
              ),
            },
            {
              title: 'Outcome',
              grows: true,
              cell: ({ outcome, message }) => (
                <>
                  <Badge tone={TONES[outcome]}>{outcome}</Badge>
                  {message ? <p className="text-quiet mt-0.5 text-xs">{message}</p> : null}
                </>
              ),
            },
            {
              title: 'Actions',
              quiet: true,
              cell: ({ id: delivery, deploymentId, receivedAt }) => (
                <span className="flex gap-3 sm:justify-end">
                  {deploymentId ? (
                    <Link
                      to="/services/$id/deployments/$deploymentId"
                      params={{ id, deploymentId }}
                      className="self-center underline"
                    >
                      Deployment
                    </Link>
                  ) : null}
                  {canDeploy ? (
                    <Button
                      aria-label={`Repeat the delivery of ${receivedAt}`}
                      busy={repeat.isPending && repeat.variables === delivery}
                      onClick={() => repeat.mutate(delivery)}
                    >
                      Repeat
                    </Button>
                  ) : null}
                </span>
              ),
            },
          ]}
        />
      ) : null}
    </Card>
  );
}
