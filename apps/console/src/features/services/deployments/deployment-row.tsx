import { Link } from '@tanstack/react-router';
import type { Deployment } from '../../../api/types';
import { nameLink } from '../../../ui/classes';
import { Time, Took } from '../../../ui/figures/time';
import { DeploymentBadge } from '../status-badge';
import { failureOf } from './failure-words';
import { triggerTitle } from './triggers';

const failureText = (message: string): string => {
  const { what, detail } = failureOf(message);
  return what ? `${what} ${detail}` : detail;
};

export function DeploymentRow({ deployment }: { deployment: Deployment }) {
  const { id, serviceId, trigger, status, createdAt, startedAt, finishedAt, errorMessage } = deployment;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2 text-sm">
      <DeploymentBadge status={status} />
      <Link
        to="/services/$id/deployments/$deploymentId"
        params={{ id: serviceId, deploymentId: id }}
        className={nameLink}
      >
        {triggerTitle(trigger)}
      </Link>
      <span className="text-quiet">
        <Time at={createdAt} /> · <Took from={startedAt} to={finishedAt} />
      </span>
      {errorMessage ? <p className="text-bad w-full text-xs break-words">{failureText(errorMessage)}</p> : null}
    </li>
  );
}
