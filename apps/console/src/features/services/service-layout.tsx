import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet } from '@tanstack/react-router';
import { useSession } from '../../api/session';
import type { Permission } from '../../api/types';
import { useRefreshOn } from '../../live/use-live';
import { useRouteId } from '../../routes/route-ids';
import { Loading } from '../../ui/empty-state';
import { Notice, ProblemNotice } from '../../ui/notice';
import { Page } from '../../ui/page';
import { TabLinks } from '../../ui/tabs';
import { serviceQuery } from './queries';
import { ServiceActions } from './service-actions';
import { StatusBadge } from './status-badge';

const DATABASE = 'template';

const TABS: readonly (readonly [title: string, to: string, permission: Permission])[] = [
  ['Overview', '/services/$id', 'services:read'],
  ['Deployments', '/services/$id/deployments', 'deployments:read'],
  ['Credentials', '/services/$id/credentials', 'services:read'],
  ['Logs', '/services/$id/logs', 'services.logs:read'],
  ['Metrics', '/services/$id/metrics', 'services.metrics:read'],
  ['Disk', '/services/$id/disk', 'services.metrics:read'],
  ['Domains', '/services/$id/domains', 'domains:read'],
  ['Settings', '/services/$id/settings', 'services:update'],
];

/** The frame of all screens of one service: its name, status, reason and actions. */
export function ServiceLayout({ id }: { id: string }): ReactNode {
  const { permissions } = useSession();
  const deploymentId = useRouteId('deploymentId');
  const { data: service, error } = useQuery(serviceQuery(id));
  const changes = (type: string) =>
    type.startsWith('service.status') || type.startsWith('deployment.') || type === 'service.removed';
  useRefreshOn(`service:${id}`, changes, ['service', id]);

  if (!service)
    return (
      <Page title="Service">
        {error ? <ProblemNotice error={error} /> : <Loading what="the service" />}
        {error ? (
          <p className="mt-4">
            <Link to="/services" search={{ page: 1 }} className="underline">
              All services
            </Link>
          </p>
        ) : null}
      </Page>
    );
  // The page of the deployment says it itself.
  const reason = service.statusReason?.deploymentId === deploymentId ? null : service.statusReason;
  return (
    <Page
      title={service.name}
      above={
        <Link to="/services" search={{ page: 1 }} className="hover:underline">
          Services
        </Link>
      }
      badge={<StatusBadge status={service.status} />}
      actions={<ServiceActions service={service} />}
    >
      {reason ? (
        <div className="mb-4">
          <Notice tone="bad">
            <p>{reason.message}</p>
            {reason.deploymentId ? (
              <p className="mt-1">
                <Link
                  to="/services/$id/deployments/$deploymentId"
                  params={{ id, deploymentId: reason.deploymentId }}
                  className="underline"
                >
                  See what the deployment said
                </Link>
              </p>
            ) : null}
          </Notice>
        </div>
      ) : null}
      <TabLinks
        label="Service"
        tabs={TABS.filter(
          ([title, , permission]) =>
            permissions.has(permission) && (title !== 'Credentials' || service.deploymentType === DATABASE),
        ).map(([title, to]) => ({
          title,
          to,
          params: { id },
        }))}
      />
      <Outlet />
    </Page>
  );
}
