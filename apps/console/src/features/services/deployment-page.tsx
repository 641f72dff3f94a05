import type { ReactNode } from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { answer, api } from '../../api/client';
import { useCan } from '../../api/session';
import type { Deployment, DeploymentStep } from '../../api/types';
import { useRefreshOn } from '../../live/use-live';
import { Badge, type Tone } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Card, Facts } from '../../ui/card';
import { Loading } from '../../ui/empty-state';
import { Notice, ProblemNotice } from '../../ui/notice';
import { duration, Time } from '../../ui/time';
import { DeploymentLog } from './deployment-log';
import { deploymentQuery } from './queries';
import { DeploymentBadge } from './status-badge';

const STEP_TONES: Readonly<Record<DeploymentStep['status'], Tone>> = {
  running: 'busy',
  succeeded: 'good',
  failed: 'bad',
};
const OPEN: readonly Deployment['status'][] = ['queued', 'running'];

/** One deployment: its steps as they happen, why it failed, and what it said. */
export function DeploymentPage({ id, deploymentId }: { id: string; deploymentId: string }): ReactNode {
  const { data: deployment, error } = useQuery(deploymentQuery(id, deploymentId));
  useRefreshOn(`deployment:${deploymentId}`, (type) => type.startsWith('deployment.s'), ['service', id]);
  if (error) return <ProblemNotice error={error} />;
  if (!deployment) return <Loading what="the deployment" />;
  return (
    <div className="grid gap-5">
      {deployment.errorMessage ? (
        <Notice tone="bad">
          <p className="break-words">{deployment.errorMessage}</p>
          <p className="mt-1">
            {deployment.reverted
              ? 'The previous containers are running again.'
              : 'See the log below for what the containers said.'}
          </p>
        </Notice>
      ) : null}
      <div className="grid gap-5 lg:grid-cols-2">
        <Card title="Deployment" actions={<DeploymentActions deployment={deployment} />}>
          <Facts
            facts={[
              ['Status', <DeploymentBadge key="status" status={deployment.status} />],
              ['Trigger', deployment.trigger],
              ['Started', <Time key="started" at={deployment.startedAt} exact />],
              ['Took', duration(deployment.startedAt, deployment.finishedAt)],
              ['Strategy', deployment.strategy?.replaceAll('_', ' ')],
              [
                'Commit',
                deployment.commitSha ? (
                  <code key="commit" className="font-mono text-xs">
                    {deployment.commitSha.slice(0, 12)}
                  </code>
                ) : null,
              ],
              ['Images', <Images key="images" digests={deployment.imageDigests as Record<string, string>} />],
            ]}
          />
        </Card>
        <Card title="Steps">
          <ol className="grid gap-2 text-sm">
            {deployment.steps.map((step, index) => (
              <li key={index} className="grid grid-cols-[6.5rem_1fr_auto] items-start gap-2">
                <Badge tone={STEP_TONES[step.status]}>{step.status}</Badge>
                <span className="min-w-0 break-words">
                  {step.name.replaceAll('_', ' ')}
                  {step.message ? <span className="text-quiet block text-xs">{step.message}</span> : null}
                </span>
                <span className="text-quiet text-xs tabular-nums">{duration(step.startedAt, step.finishedAt)}</span>
              </li>
            ))}
          </ol>
          {deployment.steps.length === 0 ? <p className="text-quiet text-sm">Waiting for its turn.</p> : null}
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
      {canDeploy && deployment.status === 'succeeded' && Object.keys(deployment.imageDigests).length > 0 ? (
        <Button busy={rollback.isPending} onClick={() => rollback.mutate()}>
          Roll back to this
        </Button>
      ) : null}
      <ProblemNotice error={cancel.error ?? rollback.error} />
    </>
  );
}
