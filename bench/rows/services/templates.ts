import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import Docker from 'dockerode';
import { expectOnly, load } from '../../lib/load.js';
import type { Panel } from '../../lib/panel.js';
import { getRequest } from '../../lib/requests.js';
import { compare, repeat } from '../../lib/rounds.js';
import type { Row } from '../../lib/row.js';

const SOCKET = '/var/run/docker.sock';
const IMAGE = 'library/redis:7.4-bookworm';
const MEMORY_BYTES = 256 * 2 ** 20;
const NANOSECONDS = 1e9;
const READY_MS = 60_000;

const listTemplates: Row = {
  number: '30a',
  work: 'GET /api/v1/templates, p50',
  unit: 'ms',
  baseline: 'none',
  better: 'lower',
  floor: 3,
  ambitious: 1,
  async run(stage) {
    const { rounds, seconds } = stage.options;
    const panel = await stage.startPanel({ settings: { DOCKER_HOST: 'unix:///nowhere/docker.sock' } });
    const request = getRequest('/api/v1/templates', panel.key);
    const ask = async () =>
      expectOnly(await load({ port: panel.port, connections: 1, seconds, next: () => request }), 200).p50;
    try {
      await ask();
      return await repeat(rounds, ask);
    } finally {
      await panel.stop();
    }
  },
};

const deployTemplate: Row = {
  number: '30b',
  work: 'POST /templates/{id}/deploy of Redis to running',
  unit: 's',
  baseline: 'a container of the same image until the same probe succeeds',
  better: 'lower',
  floor: 1.15,
  ambitious: 1,
  unfit: () => {
    if (!existsSync(SOCKET)) return `no Docker engine at ${SOCKET}`;
    return process.env.BENCH_TEMPLATE_REGISTRY ? null : `BENCH_TEMPLATE_REGISTRY names no mirror that has ${IMAGE}`;
  },
  async run(stage) {
    const registry = process.env.BENCH_TEMPLATE_REGISTRY!;
    const settings = { DOCKER_HOST: `unix://${SOCKET}`, TEMPLATE_REGISTRY: registry };
    const panel = await stage.startPanel({ withWorker: true, settings });
    try {
      const id = await redisTemplate(panel);
      return await compare(
        stage.options.rounds,
        () => deployed(panel, id),
        () => bare(`${registry}/${IMAGE}`),
      );
    } finally {
      await panel.stop();
    }
  },
};

export const templates: readonly Row[] = [listTemplates, deployTemplate];

async function redisTemplate(panel: Panel): Promise<string> {
  const { body } = await panel.call('GET', '/templates');
  return (body.data as { id: string; slug: string }[]).find(({ slug }) => slug === 'redis')!.id;
}

async function deployed(panel: Panel, templateId: string): Promise<number> {
  const startedAt = performance.now();
  const name = `bench-${randomBytes(6).toString('hex')}`;
  const resourceLimits = { memoryMb: MEMORY_BYTES / 2 ** 20 };
  const { status, body } = await panel.call('POST', `/templates/${templateId}/deploy`, { name, resourceLimits });
  if (status !== 202) throw new Error(`refused: ${JSON.stringify(body)}`);
  await panel.until(body.serviceId as string, 'running');
  const seconds = (performance.now() - startedAt) / 1000;
  await panel.remove(body.serviceId as string);
  return seconds;
}

/** Starts a plain container with the health check of the template. @returns seconds until it is healthy */
async function bare(image: string): Promise<number> {
  const engine = new Docker({ socketPath: SOCKET });
  const startedAt = performance.now();
  const container = await engine.createContainer({
    Image: image,
    Cmd: ['redis-server', '--requirepass', 'bench', '--appendonly', 'yes'],
    Healthcheck: {
      Test: ['CMD-SHELL', 'REDISCLI_AUTH=bench redis-cli -h 127.0.0.1 ping | grep -qx PONG'],
      Interval: 5 * NANOSECONDS,
      Timeout: 5 * NANOSECONDS,
      Retries: 5,
      StartPeriod: 60 * NANOSECONDS,
    },
    HostConfig: { Memory: MEMORY_BYTES, MemorySwap: MEMORY_BYTES, NanoCpus: NANOSECONDS },
  });
  try {
    await container.start();
    while ((await container.inspect()).State.Health?.Status !== 'healthy') {
      if (performance.now() - startedAt > READY_MS) throw new Error('the bare container did not become healthy');
      await pause(10);
    }
    return (performance.now() - startedAt) / 1000;
  } finally {
    await container.remove({ force: true, v: true });
  }
}
