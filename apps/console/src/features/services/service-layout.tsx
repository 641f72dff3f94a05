import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet } from '@tanstack/react-router';
import { useSession } from '../../api/session';
import type { Permission, Service } from '../../api/types';
import { useRefreshOn } from '../../live/use-live';
import { useRouteId } from '../../routes/route-ids';
import { Loading } from '../../ui/empty-state';
import { Notice, ProblemNotice } from '../../ui/notice';
import { Page } from '../../ui/page';
import { TabLinks } from '../../ui/tabs';
import { BACKUP_ALARMS, wordsOf } from './deployments/failure-words';
import { serviceQuery } from './queries';
import { ServiceActions } from './service-actions';
import { StatusBadge } from './status-badge';

interface Tab {
  readonly title: string;
  readonly to: string;
  readonly permission: Permission;
  /** Only for services of these kinds; for all without it. */
  readonly of?: readonly Service['deploymentType'][];
}

const TABS: readonly Tab[] = [
  { title: 'Overview', to: '/services/$id', permission: 'services:read' },
  { title: 'Deployments', to: '/services/$id/deployments', permission: 'deployments:read' },
  { title: 'Credentials', to: '/services/$id/credentials', permission: 'services:read', of: ['template'] },
  { title: 'Backups', to: '/services/$id/backups', permission: 'backups:read', of: ['template'] },
  { title: 'Logs', to: '/services/$id/logs', permission: 'services.logs:read' },
  { title: 'Metrics', to: '/services/$id/metrics', permission: 'services.metrics:read' },
  { title: 'Disk', to: '/services/$id/disk', permission: 'services.metrics:read' },
  { title: 'Variables', to: '/services/$id/variables', permission: 'services.env:read', of: ['compose', 'git'] },
  { title: 'Git', to: '/services/$id/git', permission: 'services:read', of: ['git'] },
  { title: 'Domains', to: '/services/$id/domains', permission: 'domains:read' },
  { title: 'Settings', to: '/services/$id/settings', permission: 'services:update' },
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
      <Page title="Service" isComing={!error}>
        {error ? (
          <ProblemNotice error={error} missing="There is no such service, or you may not see it." />
        ) : (
          <Loading what="the service" />
        )}
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
  const tabs = TABS.filter(
    ({ permission, of }) => permissions.has(permission) && (!of || of.includes(service.deploymentType)),
  );
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
            {wordsOf(reason.code) ? <p className="font-semibold">{wordsOf(reason.code)}</p> : null}
            <p className="break-words">{reason.message}</p>
            {BACKUP_ALARMS.has(reason.code) && permissions.has('backups:read') ? (
              <p className="mt-1">
                <Link to="/services/$id/backups" params={{ id }} className="underline">
                  See the backups
                </Link>
              </p>
            ) : null}
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
        tabs={tabs.map(({ title, to }) => ({ title, to, params: { id }, exact: to === '/services/$id' }))}
      />
      <Outlet />
    </Page>
  );
}
