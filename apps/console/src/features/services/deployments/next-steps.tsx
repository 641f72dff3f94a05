import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Deployment } from '../../../api/types';
import { Notice } from '../../../ui/notice';
import { serviceQuery } from '../queries';

const FIRST: readonly Deployment['trigger'][] = ['create', 'git', 'template', 'analysis'];

/** What people want to do next when a new service works. */
export function NextSteps({ deployment: { serviceId: id, trigger, status } }: { deployment: Deployment }) {
  const { data: service } = useQuery(serviceQuery(id));
  if (!service || status !== 'succeeded' || !FIRST.includes(trigger)) return null;
  const isDatabase = service.deploymentType === 'template';
  return (
    <Notice tone="good">
      <p className="font-semibold">It works.</p>
      {isDatabase ? (
        <p>
          Next: give your application its address and password from{' '}
          <Link to="/services/$id/credentials" params={{ id }} className="underline">
            Credentials
          </Link>
          , and have it backed up every day under{' '}
          <Link to="/services/$id/backups" params={{ id }} className="underline">
            Backups
          </Link>
          .
        </p>
      ) : (
        <p>
          {service.url ? (
            <>
              It is at{' '}
              <a className="underline" href={service.url}>
                {service.url}
              </a>
              . Next: see what it writes under{' '}
            </>
          ) : (
            <>
              Next: put it on the web with a name under{' '}
              <Link to="/services/$id/domains" params={{ id }} className="underline">
                Domains
              </Link>
              , or see what it writes under{' '}
            </>
          )}
          <Link to="/services/$id/logs" params={{ id }} className="underline">
            Logs
          </Link>
          .
        </p>
      )}
    </Notice>
  );
}
