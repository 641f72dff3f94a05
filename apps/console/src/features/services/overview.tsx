import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useSession } from '../../api/session';
import type { Health, Service } from '../../api/types';
import { Badge, type Tone } from '../../ui/badge';
import { Card, Facts } from '../../ui/card';
import { ProblemNotice } from '../../ui/notice';
import { Table } from '../../ui/table';
import { Time } from '../../ui/figures/time';
import { OrganisationName } from '../organisations/organisation-name';
import { useOrganisationNames } from '../organisations/queries';
import { DeploymentRow } from './deployments/deployment-row';
import { originOf } from './origin';
import { deploymentsQuery, healthQuery, serviceQuery } from './queries';

const HEALTH_TONES: Readonly<Record<string, Tone>> = { healthy: 'good', unhealthy: 'bad', starting: 'busy' };
const NEWEST = 3;

export function Overview({ id }: { id: string }): ReactNode {
  const { permissions, user } = useSession();
  const { data: service } = useQuery(serviceQuery(id));
  const health = useQuery({ ...healthQuery(id), enabled: permissions.has('services.metrics:read') });
  const deployments = useQuery({ ...deploymentsQuery(id), enabled: permissions.has('deployments:read') });
  const names = useOrganisationNames([service?.customerId ?? null]);
  if (!service) return null;
  return (
    <div className="grid grid-cols-1 gap-5 lg:grid-cols-2">
      <Card title="Service">
        <Facts facts={factsOf(service, user.role === 'admin' ? names : null, permissions.has('domains:write'))} />
      </Card>
      {permissions.has('deployments:read') ? (
        <Card title="Latest deployments">
          <ProblemNotice error={deployments.error} />
          {deployments.data?.data.length === 0 ? <p className="text-quiet text-sm">Nothing was deployed yet.</p> : null}
          <ul className="divide-line -mt-2 divide-y">
            {deployments.data?.data.slice(0, NEWEST).map((deployment) => (
              <DeploymentRow key={deployment.id} deployment={deployment} />
            ))}
          </ul>
          <p className="mt-3 text-sm">
            <Link to="/services/$id/deployments" params={{ id }} className="underline">
              All deployments
            </Link>
          </p>
        </Card>
      ) : null}
      {permissions.has('services.metrics:read') ? (
        <div className="lg:col-span-2">
          <Card flush title="Containers" actions={health.data ? <HealthBadge status={health.data.status} /> : null}>
            <ProblemNotice error={health.error} />
            <Containers health={health.data} isRunning={service.status === 'running'} />
          </Card>
        </div>
      ) : null}
    </div>
  );
}

/** @param names of organisations; null for people who see only those of their own */
const factsOf = (service: Service, names: Readonly<Record<string, string | undefined>> | null, canAddDomain: boolean) =>
  [
    [
      'Address',
      service.url ? (
        <a className="underline" href={service.url}>
          {service.url}
        </a>
      ) : service.deploymentType === 'template' ? (
        <Link to="/services/$id/credentials" params={{ id: service.id }} className="underline">
          see Credentials
        </Link>
      ) : !canAddDomain ? (
        'none yet'
      ) : (
        <>
          none yet:{' '}
          <Link to="/services/$id/domains" params={{ id: service.id }} className="underline">
            add a domain
          </Link>
        </>
      ),
    ],
    ...(service.preview ? ([['Preview of', <PreviewOf key="preview" preview={service.preview} />]] as const) : []),
    ['Description', service.description ?? undefined],
    ['Made from', originOf(service)],
    [
      'Owner',
      names ? (
        <OrganisationName key="owner" id={service.customerId} name={names[service.customerId ?? '']} />
      ) : undefined,
    ],
    ['Running since', <Time key="since" at={service.startedAt} exact />],
    [
      'Limits',
      `${service.resourceLimits.cpuCores} CPU, ${service.resourceLimits.memoryMb} MiB memory, ${service.resourceLimits.diskMb} MiB disk`,
    ],
    [
      'Ports',
      service.portMappings
        .map((port) => `${port.hostIp}:${port.hostPort} → ${port.containerPort}/${port.protocol}`)
        .join(', ') || 'none',
    ],
    ['Created', <Time key="created" at={service.createdAt} exact />],
    [
      'Id',
      <code key="id" className="font-mono text-xs">
        {service.id}
      </code>,
    ],
  ] as const;

function PreviewOf({ preview }: { preview: NonNullable<Service['preview']> }) {
  return (
    <>
      <Link to="/services/$id/git" params={{ id: preview.parentServiceId }} className="underline">
        pull request {preview.pullRequest}
      </Link>
      , kept until <Time at={preview.expiresAt} exact />
    </>
  );
}

/** `none` of the API means that nobody looks, not that nobody is well. */
const HealthBadge = ({ status }: { status: string }) => (
  <Badge tone={HEALTH_TONES[status] ?? 'neutral'}>{status === 'none' ? 'no health check' : status}</Badge>
);

function Containers({ health, isRunning }: { health: Health | undefined; isRunning: boolean }) {
  if (!health) return null;
  if (health.containers.length === 0)
    return (
      <p className="text-quiet p-4 text-sm">
        {isRunning ? 'The panel looks at them every few seconds …' : 'There are no containers at the moment.'}
      </p>
    );
  return (
    <Table
      plain
      caption="Containers"
      rows={health.containers}
      keyOf={({ id }) => id}
      columns={[
        { title: 'Name', cell: ({ name }) => <span className="font-medium">{name}</span> },
        {
          title: 'State',
          cell: ({ state, exitCode, oomKilled }) =>
            `${state}${state === 'exited' && exitCode !== null ? ` (${exitCode})` : ''}${oomKilled ? ', out of memory' : ''}`,
        },
        { title: 'Health', cell: ({ health: own }) => <HealthBadge status={own} /> },
        { title: 'Restarts', wide: true, cell: ({ restartCount }) => restartCount },
        { title: 'Started', wide: true, cell: ({ startedAt }) => <Time at={startedAt} /> },
      ]}
    />
  );
}
