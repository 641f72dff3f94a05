import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useSession } from '../../../api/session';
import type { MetricsSummary, Service } from '../../../api/types';
import { useRefreshOn } from '../../../live/use-live';
import { percent } from '../../../ui/figures/amounts';
import { buttonClass } from '../../../ui/button';
import { nameLink } from '../../../ui/classes';
import { EmptyState, Loading } from '../../../ui/empty-state';
import { ProblemNotice } from '../../../ui/notice';
import { Page } from '../../../ui/page';
import { Pager } from '../../../ui/pager';
import { Spark } from '../../../ui/figures/spark';
import { Table, type Column } from '../../../ui/table';
import { Time } from '../../../ui/figures/time';
import { OrganisationName } from '../../organisations/organisation-name';
import { useOrganisationNames } from '../../organisations/queries';
import { wordsOf } from '../deployments/failure-words';
import { originOf } from '../origin';
import { servicesQuery, summariesQuery, type ServiceSearch } from '../queries';
import { ServiceFilters } from './service-filters';
import { StatusBadge } from '../status-badge';

/** All services that the signed-in person may see, as they are right now. */
export function ServiceList({ search }: { search: ServiceSearch }): ReactNode {
  const { user, permissions } = useSession();
  const navigate = useNavigate();
  const { data, error } = useQuery(servicesQuery(search));
  const { data: summaries = {} } = useQuery(summariesQuery((data?.data ?? []).map(({ id }) => id)));
  const names = useOrganisationNames((data?.data ?? []).map(({ customerId }) => customerId));
  useRefreshOn('services', (type) => type === 'service.status' || type === 'service.removed', ['services']);

  const isFiltered = Boolean(search.status || search.search);
  const goTo = (page: number) => void navigate({ to: '/services', search: { ...search, page } });
  const create = permissions.has('services:create') ? (
    <Link to="/deploy" className={buttonClass('primary')}>
      New service
    </Link>
  ) : null;

  return (
    <Page title="Services" actions={create}>
      {isFiltered || data?.pagination.total !== 0 ? <ServiceFilters search={search} /> : null}
      <ProblemNotice error={error} />
      {!data && !error ? <Loading what="services" /> : null}
      {data?.data.length === 0 ? (
        isFiltered ? (
          <EmptyState title="No service matches the filter.">
            <Link to="/services" search={{ page: 1 }} className={buttonClass()}>
              Clear the filter
            </Link>
          </EmptyState>
        ) : (
          <EmptyState title="There are no services yet.">
            <p>Put your first application or database online: it takes a few minutes.</p>
            {create}
          </EmptyState>
        )
      ) : null}
      {data && data.data.length > 0 ? (
        <>
          <Table
            caption="Services"
            columns={columns(summaries, user.role === 'admin' ? names : null)}
            rows={data.data}
            keyOf={({ id }) => id}
          />
          <Pager pagination={data.pagination} one="service" many="services" goTo={goTo} />
        </>
      ) : null}
    </Page>
  );
}

function columns(
  summaries: Readonly<Record<string, MetricsSummary | undefined>>,
  names: Readonly<Record<string, string | undefined>> | null,
): Column<Service>[] {
  return [
    {
      title: 'Name',
      grows: true,
      cell: (service) => (
        <div className="min-w-32 sm:min-w-52">
          <Link to="/services/$id" params={{ id: service.id }} className={nameLink}>
            {service.name}
          </Link>
          <p className="text-quiet max-w-64 truncate text-xs">{originOf(service)}</p>
        </div>
      ),
    },
    {
      title: 'Status',
      cell: (service) => (
        <div>
          <StatusBadge status={service.status} />
          <p
            className="text-quiet mt-0.5 line-clamp-2 w-36 text-xs break-words sm:w-56"
            title={service.statusReason?.message}
          >
            {service.statusReason ? (wordsOf(service.statusReason.code) ?? service.statusReason.message) : null}
          </p>
        </div>
      ),
    },
    ...(names
      ? [
          {
            title: 'Owner',
            wide: true,
            cell: ({ customerId }: Service) => <OrganisationName id={customerId} name={names[customerId ?? '']} />,
          },
        ]
      : []),
    {
      title: 'CPU',
      widest: true,
      cell: ({ id }) => <Usage values={summaries[id]?.cpuSpark} now={summaries[id]?.cpuPct} />,
    },
    {
      title: 'Memory',
      widest: true,
      cell: ({ id }) => <Usage values={summaries[id]?.ramSpark} now={summaries[id]?.ramPct} />,
    },
    { title: 'Changed', wide: true, cell: ({ updatedAt }) => <Time at={updatedAt} /> },
  ];
}

function Usage({ values, now }: { values: readonly number[] | undefined; now: number | null | undefined }) {
  return (
    <span className="flex items-center gap-2">
      <Spark values={values ?? []} />
      <span className="text-quiet w-12 text-xs tabular-nums">{percent(now)}</span>
    </span>
  );
}
