import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { EmptyState, Loading } from '../../../ui/empty-state';
import { ProblemNotice } from '../../../ui/notice';
import { Card } from '../../../ui/card';
import { DeploymentRow } from './deployment-row';
import { deploymentsQuery } from '../queries';

export function Deployments({ id }: { id: string }): ReactNode {
  const { data, error } = useQuery(deploymentsQuery(id));
  if (error) return <ProblemNotice error={error} />;
  if (!data) return <Loading what="deployments" />;
  if (data.data.length === 0) return <EmptyState title="Nothing was deployed yet." />;
  return (
    <Card>
      <ul className="divide-line -my-2 divide-y">
        {data.data.map((deployment) => (
          <DeploymentRow key={deployment.id} deployment={deployment} />
        ))}
      </ul>
    </Card>
  );
}
