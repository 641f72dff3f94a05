import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { bytes, percent } from '../../../ui/figures/amounts';
import { Button } from '../../../ui/button';
import { Card, Facts } from '../../../ui/card';
import { EmptyState, Loading } from '../../../ui/empty-state';
import { ProblemNotice } from '../../../ui/notice';
import { metricsQuery, type MetricsRange } from '../queries';

const Chart = lazy(() => import('../../../ui/figures/chart'));
const RANGES: readonly MetricsRange[] = ['15m', '1h', '6h', '24h'];

const secondsOf = (at: string | undefined): number => (at ? Date.parse(at) / 1000 : 0);
const perSecond = (value: number): string => `${bytes(value)}/s`;

interface Current {
  readonly cpuPct: number;
  readonly ramPct: number;
  readonly memoryUsedBytes: number;
  readonly memoryLimitBytes: number;
  readonly netRxBytes: number;
  readonly netTxBytes: number;
  readonly pids: number;
}

export function ServiceMetrics({ id }: { id: string }): ReactNode {
  const [range, setRange] = useState<MetricsRange>('1h');
  const { data, error } = useQuery(metricsQuery(id, range));
  const times = data?.series.map(({ t }) => Date.parse(t) / 1000) ?? [];
  const shown = { from: secondsOf(data?.from), to: secondsOf(data?.to), times };
  const current = data?.current as Current | null | undefined;
  return (
    <div className="grid grid-cols-1 gap-5">
      <div role="group" aria-label="Range" className="flex gap-2">
        {RANGES.map((each) => (
          <Button
            key={each}
            look={each === range ? 'primary' : 'plain'}
            aria-pressed={each === range}
            onClick={() => setRange(each)}
          >
            {each}
          </Button>
        ))}
      </div>
      <ProblemNotice error={error} />
      {!data && !error ? <Loading what="metrics" /> : null}
      {data && !data.available ? (
        <EmptyState title="No measurements yet.">
          <p>The history starts when the service runs, and begins anew after a restart of the panel.</p>
        </EmptyState>
      ) : null}
      {data?.available ? (
        <Suspense fallback={<Loading what="the charts" />}>
          <div className="grid grid-cols-1 gap-5 lg:grid-cols-2">
            <Card title={`CPU ${percent(current?.cpuPct)}`}>
              <Chart
                label="CPU in percent of the limit"
                {...shown}
                write={percent}
                lines={[{ name: 'CPU', values: data.series.map(({ cpuPct }) => cpuPct) }]}
              />
            </Card>
            <Card title={`Memory ${percent(current?.ramPct)}`}>
              <Chart
                label="Memory in percent of the limit"
                {...shown}
                write={percent}
                lines={[{ name: 'Memory', values: data.series.map(({ ramPct }) => ramPct) }]}
              />
            </Card>
            <Card title="Network">
              <Chart
                label="Network in bytes per second"
                {...shown}
                write={perSecond}
                lines={[
                  { name: 'received', values: data.series.map(({ netRxBps }) => netRxBps) },
                  { name: 'sent', values: data.series.map(({ netTxBps }) => netTxBps) },
                ]}
              />
            </Card>
            <Card title="Now">
              <Facts
                facts={[
                  [
                    'Memory',
                    current ? `${bytes(current.memoryUsedBytes)} of ${bytes(current.memoryLimitBytes)}` : null,
                  ],
                  ['Received', bytes(current?.netRxBytes)],
                  ['Sent', bytes(current?.netTxBytes)],
                  ['Processes', current?.pids],
                ]}
              />
            </Card>
          </div>
        </Suspense>
      ) : null}
    </div>
  );
}
