import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCan } from '../../../api/session';
import type { Deployment } from '../../../api/types';
import { Notice } from '../../../ui/notice';
import { serviceQuery } from '../queries';
import { failureOf } from './failure-words';

/** Where what a service is made from can be changed. */
const CHANGED_AT = {
  compose: ['/services/$id/settings', 'Change the compose file'],
  git: ['/services/$id/git', 'Change the repository or the build'],
  template: ['/services/$id/settings', 'Change the limits'],
} as const;

/** Failures that a change of the source can mend. */
const OF_ITS_SOURCE: readonly string[] = [
  ...['validation_failed', 'clone_failed', 'build_failed', 'image_pull_failed', 'image_label_rejected'],
  ...['container_create_failed', 'container_start_failed', 'health_gate_failed', 'volume_conflict', 'port_conflict'],
];

interface Props {
  readonly serviceId: string;
  readonly message: string;
  readonly reverted: Deployment['reverted'];
}

/** Why a deployment failed, what is running now, what helps, and where. */
export function FailureNotice({ serviceId, message, reverted }: Props) {
  const { data: service } = useQuery(serviceQuery(serviceId));
  const canUpdate = useCan('services:update');
  const [to, title] = CHANGED_AT[service?.deploymentType ?? 'compose'];
  const { code, what, next, detail } = failureOf(message);
  return (
    <Notice tone="bad">
      {what ? <p className="font-semibold">{what}</p> : null}
      <p className="break-words">{detail}</p>
      {reverted ? <p className="mt-1">The previous containers are running again.</p> : null}
      {next ? <p className="mt-1">{next}</p> : null}
      {service && canUpdate && code !== null && OF_ITS_SOURCE.includes(code) ? (
        <p className="mt-1">
          <Link to={to} params={{ id: serviceId }} className="underline">
            {title}
          </Link>
        </p>
      ) : null}
      {code ? (
        <p className="mt-2 text-xs">
          Code: <code className="font-mono">{code}</code>
        </p>
      ) : null}
    </Notice>
  );
}
