import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { bytes, percent } from '../../../ui/figures/amounts';
import { Card, Facts } from '../../../ui/card';
import { EmptyState, Loading } from '../../../ui/empty-state';
import { ProblemNotice } from '../../../ui/notice';
import { Table } from '../../../ui/table';
import { Time } from '../../../ui/figures/time';
import { diskQuery, serviceQuery } from '../queries';

export function Disk({ id }: { id: string }): ReactNode {
  const { data, error } = useQuery(diskQuery(id));
  const { data: service } = useQuery(serviceQuery(id));
  if (error) return <ProblemNotice error={error} />;
  if (!data) return <Loading what="disk usage" />;
  if (!data.available)
    return (
      <EmptyState title="Not measured yet.">
        <p>The disk is measured in the background every few minutes.</p>
      </EmptyState>
    );
  return (
    <div className="grid grid-cols-1 gap-5 lg:grid-cols-2">
      <Card title="Disk">
        <Facts
          facts={[
            ['Used', `${bytes(data.totalBytes)} of ${bytes(data.limitBytes)} (${percent(data.usedPct)})`],
            ['Logs', bytes(data.logsBytes)],
            ['Backups', bytes(data.backupsBytes)],
            ['Measured', <Time key="measured" at={data.measuredAt} />],
          ]}
        />
      </Card>
      <Card title="Images">
        <ul className="grid gap-1 text-sm">
          {data.images.map(({ ref, bytes: size, shared }) => (
            <li key={ref} className="flex justify-between gap-3">
              <span className="min-w-0 font-mono text-xs break-all">{ref}</span>
              <span className="text-quiet whitespace-nowrap">
                {bytes(size)}
                {shared ? ', shared' : ''}
              </span>
            </li>
          ))}
        </ul>
      </Card>
      <div className="lg:col-span-2">
        {data.volumes.length === 0 ? (
          <EmptyState title="This service has no volumes." />
        ) : (
          <>
            <Table
              caption="Volumes"
              rows={data.volumes}
              keyOf={({ name }) => name}
              columns={[
                {
                  title: 'Volume',
                  grows: true,
                  cell: ({ name }) => (
                    <code className="font-mono text-xs" title={name}>
                      {name.replace(`${id}_`, '')}
                    </code>
                  ),
                },
                { title: 'Size', cell: ({ bytes: size }) => bytes(size) },
              ]}
            />
            {service && service.deploymentType !== 'template' ? (
              <p className="text-quiet mt-2 text-xs">
                The panel makes no backups of these volumes. It backs up databases that were made from a template.
              </p>
            ) : null}
          </>
        )}
      </div>
    </div>
  );
}
