import { randomUUID } from 'node:crypto';
import { LogEngine } from '../../lib/log-engine.js';
import { LogReaders } from '../../lib/log-readers.js';
import type { Program } from '../../lib/program.js';
import { median } from '../../lib/rounds.js';
import type { Row } from '../../lib/row.js';

const SOCKETS = 50;
const PER_SECOND = 1_000;

/** @throws Error if a socket lost a line, reported or not */
export const logFanOut: Row = {
  number: '25',
  work: `a log of ${PER_SECOND} lines a second to ${SOCKETS} sockets, nothing lost`,
  unit: '% of a processor',
  baseline: 'ws alone, which sends the same texts',
  better: 'lower',
  floor: 60,
  ambitious: 25,
  async run(stage) {
    const { rounds, seconds } = stage.options;
    const [serviceId, deploymentId] = [randomUUID(), randomUUID()];
    const instance = `bench-${process.pid}`;
    const engine = await LogEngine.start({
      'panel.service': serviceId,
      'panel.deployment': deploymentId,
      'panel.instance': instance,
      'panel.role': 'web',
      'panel.spec-hash': 'x',
    });
    const panel = await stage.startPanel({ settings: { DOCKER_HOST: engine.host } });
    const bare = await stage.startBaseline('raw-ws');
    await stage.pool.query(
      `insert into services.services (id, name, deployment_type, status, settled_status, desired_state,
         suspended, locked, cpu_cores, memory_mb, disk_mb, spec_version, created_at, updated_at)
       values ($1, 'log', 'compose', 'running', 'running', 'running', false, false, 1, 512, 5120, 1, now(), now())`,
      [serviceId],
    );
    const subscribe = { v: 1, type: 'subscribe', channel: `service:${serviceId}:logs`, tail: 0 };
    const socketUrl = `ws://127.0.0.1:${panel.port}/ws`;
    const readers = await LogReaders.open(SOCKETS, socketUrl, panel.key, subscribe);
    const bareReaders = await LogReaders.open(SOCKETS, `ws://127.0.0.1:${bare.port}/`, null, null);
    const path = `/write?perSecond=${PER_SECOND}&seconds=${seconds}`;
    try {
      while (!engine.isFollowed) await new Promise((resolve) => setTimeout(resolve, 10));
      const [ours, baseline]: [number[], number[]] = [[], []];
      let bareWritten = 0;
      for (let round = 0; round <= rounds; round += 1) {
        const used = await usage(panel.api, async () => readers.until(await engine.write(PER_SECOND, seconds)));
        const bareUsed = await usage(bare, async () => {
          await fetch(`http://127.0.0.1:${bare.port}${path}`);
          bareWritten += PER_SECOND * seconds;
          await bareReaders.until(bareWritten);
        });
        // The first round warms up.
        if (round > 0) {
          ours.push(used);
          baseline.push(bareUsed);
        }
      }
      return { ours: median(ours), baseline: median(baseline), judged: median(ours) };
    } finally {
      readers.close();
      bareReaders.close();
      await panel.stop();
      await bare.stop();
      await engine.stop();
      await stage.pool.query('truncate services.services cascade');
    }
  },
};

/** Percent of one core that the program uses during `work`. */
async function usage(program: Program, work: () => Promise<void>): Promise<number> {
  const [cpu, at] = [program.cpuSeconds(), performance.now()];
  await work();
  return ((program.cpuSeconds() - cpu) / ((performance.now() - at) / 1000)) * 100;
}
