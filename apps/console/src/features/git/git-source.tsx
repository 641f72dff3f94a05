import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { answer, api } from '../../api/client';
import { deployService } from '../../api/limits';
import { Problem } from '../../api/problem';
import { useCan } from '../../api/session';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { TextField } from '../../ui/forms/field';
import { ProblemNotice } from '../../ui/notice';
import { serviceQuery } from '../services/queries';
import { CommitStatuses } from './commit-statuses';
import { Deliveries } from './deliveries';
import { Previews } from './previews';
import { PushHook } from './push-hook';
import { SourceSettings } from './source-settings';

/** What a service from a repository has besides the others: its newest commit, its hook, and what was pushed. */
export function GitSource({ id }: { id: string }): ReactNode {
  const { data: service } = useQuery(serviceQuery(id));
  const canDeploy = useCan('services:deploy');
  const canWrite = useCan('services:update');
  const canReadSource = useCan('services.env:read');
  const canReadDeployments = useCan('deployments:read');
  return (
    <div className="grid grid-cols-1 gap-5">
      {canDeploy ? <DeployRef id={id} /> : null}
      {canReadSource ? <SourceSettings id={id} canWrite={canWrite} /> : null}
      <PushHook id={id} />
      {service && !service.preview ? <CommitStatuses id={id} /> : null}
      {service && !service.preview ? <Previews service={service} /> : null}
      {canReadDeployments ? <Deliveries id={id} /> : null}
    </div>
  );
}

function DeployRef({ id }: { id: string }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [ref, setRef] = useState('');
  const deploy = useMutation({
    mutationFn: () =>
      answer(api.POST('/api/v1/services/{id}/deploy', { params: { path: { id } }, body: ref ? { ref } : {} })),
    onSuccess: async ({ deploymentId }) => {
      await client.invalidateQueries({ queryKey: ['service', id] });
      if (deploymentId) await navigate({ to: '/services/$id/deployments/$deploymentId', params: { id, deploymentId } });
    },
  });
  const problem = deploy.error instanceof Problem ? deploy.error : null;
  return (
    <Card title="Deploy from the repository">
      <form
        className="flex flex-wrap items-end gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          deploy.mutate();
        }}
      >
        <div className="min-w-56 flex-1">
          <TextField
            label="Branch, tag or commit"
            limit={deployService.ref}
            placeholder="the newest commit"
            value={ref}
            onChange={setRef}
            error={problem?.at('/ref')}
          />
        </div>
        <Button type="submit" look="primary" busy={deploy.isPending}>
          {ref ? 'Deploy this' : 'Deploy the newest commit'}
        </Button>
      </form>
      {deploy.error ? (
        <div className="mt-3">
          <ProblemNotice error={deploy.error} />
        </div>
      ) : null}
    </Card>
  );
}
