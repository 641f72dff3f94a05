import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { p99AtRate } from '../../lib/fixed-rate.js';
import type { Panel } from '../../lib/panel.js';
import type { Row } from '../../lib/row.js';
import { median } from '../../lib/rounds.js';

const PER_SECOND = 200;
/** Until then, V8 is still optimising the code, and a request takes twice as long. */
const WARM_UP_SECONDS = 8;
const COMPOSE = `services:
  db: {image: 'postgres:16', environment: {POSTGRES_PASSWORD: secret}, volumes: ['data:/var/lib/postgresql/data']}
  web: {image: 'ghcr.io/acme/web:1.2', depends_on: [db], environment: ['DATABASE_URL=postgres://db/app']}
volumes: {data: {}}
`;

/** Requests are sent at fixed times, whether or not earlier ones have been answered. */
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
    const panel = await stage.startPanel({ settings: { DOCKER_HOST: 'unix:///nowhere/docker.sock' } });
    await stage.pool.query('create unlogged table if not exists bench_outbox (id uuid primary key, at timestamptz)');
    const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
    const accept = async () => {
      const status = await post(panel, agent, { name: randomUUID(), composeYaml: COMPOSE });
      if (status !== 202) throw new Error(`answered ${status}`);
    };
    const insert = () => stage.pool.query('insert into bench_outbox values ($1, now())', [randomUUID()]);
    const p99 = (work: () => Promise<unknown>, length: number) => p99AtRate(work, PER_SECOND, (now) => now >= length);
    try {
      await p99(accept, WARM_UP_SECONDS);
      await p99(insert, 1);
      const [ours, baseline]: [number[], number[]] = [[], []];
      for (let round = 0; round < rounds; round += 1) {
        ours.push(await p99(accept, seconds));
        baseline.push(await p99(insert, seconds));
      }
      return { ours: median(ours), baseline: median(baseline), judged: median(ours) };
    } finally {
      agent.destroy();
      await panel.stop();
      await stage.pool.query('drop table bench_outbox; truncate services.services cascade');
    }
  },
};

/**
 * Cheaper than `fetch`, because the generator shares the cores.
 * @returns the status
 */
function post({ port, key }: Panel, agent: http.Agent, body: object): Promise<number | undefined> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const request = http.request({ port, method: 'POST', path: '/api/v1/services', agent, headers }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode));
    });
    request.on('error', reject).end(JSON.stringify(body));
  });
}
