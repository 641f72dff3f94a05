import { randomUUID } from 'node:crypto';
import { expectOnly, load } from '../../lib/load.js';
import { getRequest } from '../../lib/requests.js';
import { repeat } from '../../lib/rounds.js';
import type { Row } from '../../lib/row.js';
import type { Stage } from '../../lib/stage.js';

const SERVICES = 500;

/** @throws Error unless the response covers all services, each with its sparklines */
export const metricsSummary: Row = {
  number: '21',
  work: `GET /services/metrics/summary, ${SERVICES} services with full sparklines, p50`,
  unit: 'ms',
  baseline: 'none',
  better: 'lower',
  floor: 20,
  ambitious: 8,
  async run(stage) {
    const { rounds, seconds } = stage.options;
    await fill(stage);
    const panel = await stage.startPanel({ settings: { DOCKER_HOST: 'unix:///nowhere/docker.sock' } });
    const request = getRequest('/api/v1/services/metrics/summary', panel.key);
    const ask = async () => {
      await stage.pool.query('update services.metrics_now set stored_at = clock_timestamp()');
      const result = await load({ port: panel.port, connections: 1, seconds, next: () => request });
      return expectOnly(result, 200).p50;
    };
    try {
      await ask();
      const { body } = await panel.call('GET', '/services/metrics/summary');
      const whole = Object.values(body.summaries as Record<string, { available: boolean; cpuSpark: number[] }>);
      if (whole.length !== SERVICES || !whole.every(({ available, cpuSpark }) => available && cpuSpark.length === 30))
        throw new Error(`an answer about ${whole.length} services, or without sparklines`);
      return await repeat(rounds, ask);
    } finally {
      await panel.stop();
      await stage.pool.query('truncate services.services cascade');
      await stage.pool.query('truncate services.metrics_now, services.collectors');
    }
  },
};

/** Fills the tables as the collector would have after half an hour. */
async function fill({ pool }: Stage): Promise<void> {
  await pool.query('truncate services.services cascade');
  await pool.query('truncate services.metrics_now, services.collectors');
  await pool.query(
    `insert into services.services (id, name, deployment_type, status, settled_status, desired_state, cpu_cores,
       memory_mb, disk_mb, spec_version, created_at, updated_at)
     select gen_random_uuid(), 'metered ' || n, 'compose', 'running', 'running', 'running', 1, 512, 5120, 1, now(), now()
       from generate_series(1, $1) n`,
    [SERVICES],
  );
  const current = {
    cpuPct: 12.5,
    ramPct: 40.1,
    memoryUsedBytes: 215_284_121,
    memoryLimitBytes: 536_870_912,
    netRxBytes: 1_000_000,
    netTxBytes: 1_000_000,
    blockReadBytes: 0,
    blockWriteBytes: 0,
    pids: 7,
  };
  const spark = JSON.stringify(Array.from({ length: 30 }, (_, index) => 10 + index / 10));
  const ages = JSON.stringify(Array.from({ length: 30 }, (_, index) => (29 - index) * 60));
  await pool.query(
    `insert into services.metrics_now (service_id, sampled_at, stored_at, cpu_pct, ram_pct, current, containers, cpu_spark,
       ram_spark, spark_ages, spark_samples)
     select id, now(), now(), 12.5, 40.1, $1, '[]', $2, $2, $3, $3 from services.services`,
    [JSON.stringify(current), spark, ages],
  );
  await pool.query("insert into services.collectors values ('engine', $1, now() + interval '1 hour', true)", [
    randomUUID(),
  ]);
  await pool.query('vacuum analyze services.services, services.metrics_now');
}
