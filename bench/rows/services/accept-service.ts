import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Row } from '../../lib/row.js';
import { median } from '../../lib/rounds.js';

const PER_SECOND = 200;
const COMPOSE = `services:
  db: {image: 'postgres:16', environment: {POSTGRES_PASSWORD: secret}, volumes: ['data:/var/lib/postgresql/data']}
  web: {image: 'ghcr.io/acme/web:1.2', depends_on: [db], environment: ['DATABASE_URL=postgres://db/app']}
volumes: {data: {}}
`;

/** Requests come at their times, whether or not those before them are answered. */
export const acceptService: Row = {
  number: '18',
  work: `POST /services to its 202, ${PER_SECOND} a second, p99`,
  unit: 'ms',
  baseline: 'an insert of a deployment row at the same rate',
  better: 'lower',
  floor: 30,
  ambitious: 10,
  async run(stage) {
    const { rounds, seconds } = stage.options;
    const panel = await stage.startPanel({ dockerHost: 'unix:///nowhere/docker.sock', withWorker: false });
    await stage.pool.query('create unlogged table if not exists bench_outbox (id uuid primary key, at timestamptz)');
    const accept = async () => {
      const answer = await panel.call('POST', '/services', { name: randomUUID(), composeYaml: COMPOSE });
      if (answer.status !== 202) throw new Error(`answered ${answer.status}`);
    };
    const insert = () => stage.pool.query('insert into bench_outbox values ($1, now())', [randomUUID()]);
    try {
      await p99(accept, 1);
      await p99(insert, 1);
      const [ours, baseline]: [number[], number[]] = [[], []];
      for (let round = 0; round < rounds; round += 1) {
        ours.push(await p99(accept, seconds));
        baseline.push(await p99(insert, seconds));
      }
      return { ours: median(ours), baseline: median(baseline), judged: median(ours) };
    } finally {
      await panel.stop();
      await stage.pool.query('drop table bench_outbox; truncate services.services cascade');
    }
  },
};

async function p99(work: () => Promise<unknown>, seconds: number): Promise<number> {
  const latencies: number[] = [];
  const running: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let index = 0; index < PER_SECOND * seconds; index += 1) {
    const due = startedAt + (index * 1000) / PER_SECOND;
    while (performance.now() < due) await pause(1);
    running.push(work().then(() => void latencies.push(performance.now() - due)));
  }
  await Promise.all(running);
  latencies.sort((a, b) => a - b);
  return latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN;
}
