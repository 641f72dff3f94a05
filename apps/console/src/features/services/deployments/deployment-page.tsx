import type { ReactNode } from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { answer, api } from '../../../api/client';
import { useCan } from '../../../api/session';
import type { Deployment } from '../../../api/types';
import { useRefreshOn } from '../../../live/use-live';
import { Button } from '../../../ui/button';
import { Card, Facts } from '../../../ui/card';
import { Loading } from '../../../ui/empty-state';
import { ProblemNotice } from '../../../ui/notice';
import { Time, Took } from '../../../ui/figures/time';
import { DeploymentLog } from './deployment-log';
import { FailureNotice } from './failure-notice';
import { deploymentQuery, versionsQuery } from '../queries';
import { DeploymentBadge } from '../status-badge';
import { NextSteps } from './next-steps';
import { StepList } from './step-list';
import { triggerTitle } from './triggers';

const OPEN: readonly Deployment['status'][] = ['queued', 'running'];

const STRATEGIES: Readonly<Record<NonNullable<Deployment['strategy']>, string>> = {
  'start-first': 'new containers first, then the old ones stop',
  'stop-first': 'the old containers stop first',
};

/** One deployment: its steps as they happen, why it failed, and what it said. */
export function DeploymentPage({ id, deploymentId }: { id: string; deploymentId: string }): ReactNode {
  const { data: deployment, error } = useQuery(deploymentQuery(id, deploymentId));
  useRefreshOn(`deployment:${deploymentId}`, (type) => type.startsWith('deployment.s'), ['service', id]);
  if (error) return <ProblemNotice error={error} />;
  if (!deployment) return <Loading what="the deployment" />;
  return (
    <div className="grid grid-cols-1 gap-5">
      {deployment.errorMessage ? (
        <FailureNotice serviceId={id} message={deployment.errorMessage} reverted={deployment.reverted} />
      ) : null}
      <NextSteps deployment={deployment} />
      <div className="grid grid-cols-1 gap-5 lg:grid-cols-2">
        <Card title="Deployment" actions={<DeploymentActions deployment={deployment} />}>
          <Facts
            facts={[
              ['Status', <DeploymentBadge key="status" status={deployment.status} />],
              ['Reason', triggerTitle(deployment.trigger)],
              ['Started', <Time key="started" at={deployment.startedAt} exact />],
              ['Took', <Took key="took" from={deployment.startedAt} to={deployment.finishedAt} />],
              ['Replacement', deployment.strategy ? STRATEGIES[deployment.strategy] : null],
              [
                'Commit',
                deployment.commitSha ? (
                  <code key="commit" className="font-mono text-xs">
                    {deployment.commitSha.slice(0, 12)}
                  </code>
                ) : undefined,
              ],
              ['Images', <Images key="images" digests={deployment.imageDigests as Record<string, string>} />],
            ]}
          />
        </Card>
        <Card title="Steps">
          <StepList steps={deployment.steps} />
        </Card>
      </div>
      <DeploymentLog deploymentId={deploymentId} open={OPEN.includes(deployment.status)} />
    </div>
  );
}

function Images({ digests }: { digests: Readonly<Record<string, string>> }) {
  const entries = Object.entries(digests);
  if (entries.length === 0) return <>–</>;
  return (
    <ul>
      {entries.map(([image, digest]) => (
        <li key={image} className="font-mono text-xs break-all">
          {image} {digest.slice(0, 19)}
        </li>
      ))}
    </ul>
  );
}

function DeploymentActions({ deployment }: { deployment: Deployment }) {
  const client = useQueryClient();
  const canCancel = useCan('deployments:cancel');
  const canDeploy = useCan('services:deploy');
  const { data: versions } = useQuery({ ...versionsQuery(deployment.serviceId), enabled: canDeploy });
  // Compared by number: right after a deployment its version may be here before it counts as the current one.
  const current = versions?.data.find((version) => version.current)?.number ?? 0;
  const isEarlier = versions?.data.some(
    ({ number, deploymentId }) => deploymentId === deployment.id && number < current,
  );
  const path = { id: deployment.id };
  const refresh = () => client.invalidateQueries({ queryKey: ['service', deployment.serviceId] });
  const cancel = useMutation({
    mutationFn: () => answer(api.POST('/api/v1/deployments/{id}/cancel', { params: { path } })),
    onSuccess: refresh,
  });
  const rollback = useMutation({
    mutationFn: () =>
      answer(
        api.POST('/api/v1/services/{id}/rollback', {
          params: { path: { id: deployment.serviceId } },
          body: { deploymentId: deployment.id },
        }),
      ),
    onSuccess: refresh,
  });
  return (
    <>
      {canCancel && OPEN.includes(deployment.status) ? (
        <Button look="danger" busy={cancel.isPending} onClick={() => cancel.mutate()}>
          Cancel
        </Button>
      ) : null}
      {canDeploy && isEarlier && deployment.status === 'succeeded' ? (
        <Button busy={rollback.isPending} onClick={() => rollback.mutate()}>
          Go back to this
        </Button>
      ) : null}
      <ProblemNotice error={cancel.error ?? rollback.error} />
    </>
  );
}
