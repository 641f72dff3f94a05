import { readdirSync } from 'node:fs';
import { PATIENCE } from '../../../../tools/lib/tests/patience.mjs';
import { engineJson } from '../../../support/docker/engine-http.js';
import { eventually } from '../../../support/docker/eventually.js';
import { makeImage } from '../../../support/docker/images.js';
import { OwnEngine, ownEngineDefect } from '../../../support/docker/own-engine/own-engine.js';
import { itRarely } from '../../../support/rare.js';
import { PanelInstallation } from '../../../support/services/panel-installation.js';
import type { PanelProcess } from '../../../support/services/panel-process.js';

const IMAGE = 'acme/web:1';
const GROUP = `
services:
  db: {image: '${IMAGE}', init: true, volumes: ['data:/data']}
  web: {image: '${IMAGE}', init: true, depends_on: [db]}
volumes: {data: {}}
`;

interface Seen {
  readonly Id: string;
  readonly State: string;
  readonly Names: readonly string[];
  readonly Labels: Readonly<Record<string, string>>;
}

const defect = ownEngineDefect();
if (defect !== null && process.env.CI !== 'true')
  process.stderr.write(`skipped: processes that are killed: ${defect}\n`);
const describeWithOwnEngine = defect === null || process.env.CI === 'true' ? describe : describe.skip;

describeWithOwnEngine('processes that are killed', () => {
  let engine: OwnEngine;
  let panel: PanelInstallation;
  let api: PanelProcess;
  let worker: PanelProcess;
  let first: string;

  beforeAll(async () => {
    engine = await OwnEngine.start();
    process.env.DOCKER_HOST = engine.host;
    await makeImage(IMAGE);
    const times = { HEALTH_GATE_SECONDS: '0.5', SERVICES_SAMPLE_SECONDS: '1' };
    panel = await PanelInstallation.start({ DOCKER_HOST: engine.host, ...times });
    [api, worker] = await Promise.all([panel.startApi(), panel.startWorker()]);
    first = await panel.create('first', GROUP);
    await panel.untilRunning(first);
  }, 330_000);

  afterAll(async () => {
    await panel?.close();
    await engine?.remove();
  }, 60_000);

  const containersOf = (id: string) =>
    engineJson<Seen[]>(
      'GET',
      `/containers/json?all=1&filters=${encodeURIComponent(JSON.stringify({ label: [`panel.service=${id}`] }))}`,
    );

  /** Expects one running container per role, all of one deployment, and no others. */
  async function isWhole(id: string): Promise<readonly string[]> {
    await panel.untilRunning(id);
    const containers = await containersOf(id);
    expect(containers.map(({ Names, State }) => `${Names[0]} ${State}`).sort()).toEqual([
      `/${id}_db running`,
      `/${id}_web running`,
    ]);
    expect(new Set(containers.map(({ Labels }) => Labels['panel.deployment'])).size).toBe(1);
    const ids = containers.map(({ Id }) => Id).sort();
    expect([...(await panel.call('GET', `/services/${id}`)).body.containerIds].sort()).toEqual(ids);
    return ids;
  }

  /** Replaces the containers by new ones with the same images, which needs no registry. */
  async function replace(id: string): Promise<void> {
    const source = (await panel.deployments(id)).find(({ trigger }) => trigger === 'create');
    const { status } = await panel.call('POST', `/services/${id}/rollback`, { deploymentId: source.id });
    expect(status).toBe(202);
  }

  it.each(['create', 'health_gate'])(
    'the worker, by kill -9 at %s: another one carries on',
    async (step) => {
      await replace(first);
      await panel.untilStep(first, step);
      await worker.end('SIGKILL');
      await panel.endLeases();
      worker = await panel.startWorker();
      await isWhole(first);
      expect((await panel.deployments(first))[0]).toMatchObject({ trigger: 'rollback', status: 'succeeded' });
    },
    60_000,
  );

  itRarely(
    'the worker, frozen for longer than its lease: it changes nothing when it wakes up',
    async () => {
      await replace(first);
      await panel.untilStep(first, 'create');
      worker.child.kill('SIGSTOP');
      await panel.endLeases();
      const second = await panel.startWorker();
      const ids = await isWhole(first);
      worker.child.kill('SIGCONT');
      await second.end('SIGTERM');
      // This deployment is carried out by the worker that was frozen. So it is awake and has given up its old operation.
      await isWhole(await panel.create('after the frost', GROUP));
      expect(await isWhole(first)).toEqual(ids);
    },
    60_000,
  );

  it('the API, by kill -9 while it accepts: accepted services run, and the others do not exist', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `killed ${name}`);
    let killed: Promise<void> | null = null;
    const asked = names.map(async (name) => {
      const id = await panel.create(name, GROUP.replace('data:/data', 'data:/elsewhere'));
      killed ??= api.end('SIGKILL');
      return id;
    });
    const outcomes = await Promise.allSettled(asked);
    await killed!;
    api = await panel.startApi();
    const accepted = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    expect(accepted.length).toBeGreaterThan(0);
    const { data } = (await panel.call('GET', '/services?search=killed&pageSize=100')).body;
    const stored = (data as { id: string }[]).map(({ id }) => id);
    expect(stored).toEqual(expect.arrayContaining(accepted));
    for (const id of stored) await isWhole(id);
  }, 60_000);

  it('the engine, by kill -9 in the middle of a deployment: everything runs again once it is back', async () => {
    await replace(first);
    const other = await panel.create('beside the killed engine', GROUP);
    await panel.untilStep(first, 'start');
    await engine.kill();
    await engine.rise();
    await isWhole(first);
    await isWhole(other);
    await replace(first);
    await isWhole(first);
  }, 300_000);

  itRarely(
    'PostgreSQL, unreachable in the middle of a deployment: the deployment continues when it is back',
    async () => {
      await replace(first);
      await panel.untilStep(first, 'start');
      await panel.gate.cut();
      await new Promise((resolve) => setTimeout(resolve, 500));
      await panel.gate.open();
      await panel.endLeases();
      await isWhole(first);
      expect((await panel.deployments(first))[0]).toMatchObject({ status: 'succeeded' });
    },
    60_000,
  );

  const metricsOf = async (id: string) => (await panel.call('GET', `/services/${id}/metrics?range=15m`)).body;
  const summaryOf = async (id: string) =>
    (await panel.call('GET', `/services/metrics/summary?ids=${id}`)).body.summaries[id];
  const untilMetered = (id: string, wanted = true) =>
    eventually(
      () => summaryOf(id),
      ({ available }) => available === wanted,
      30_000,
    );
  const handles = ({ child }: PanelProcess) => readdirSync(`/proc/${child.pid}/fd`).length;

  itRarely(
    'the worker that samples and the API, by kill -9: another worker samples within seconds, and nothing is lost',
    async () => {
      const before = await untilMetered(first);
      const second = await panel.startWorker();
      await Promise.all([worker.end('SIGKILL'), api.end('SIGKILL')]);
      worker = second;
      api = await panel.startApi();
      const { sampledAt } = await metricsOf(first);
      await eventually(
        () => metricsOf(first),
        (metrics) => metrics.available && metrics.sampledAt > sampledAt,
        20_000,
      );
      const after = await summaryOf(first);
      expect(after.cpuSpark.length).toBeGreaterThanOrEqual(before.cpuSpark.length);
      expect(after.cpuSpark.slice(0, before.cpuSpark.length - 1)).toEqual(before.cpuSpark.slice(0, -1));
    },
    60_000,
  );

  itRarely(
    'the engine, frozen: no request waits for it, the state is unknown, and no connection leaks',
    async () => {
      await untilMetered(first);
      const open = handles(worker);
      engine.freeze();
      try {
        expect(await untilMetered(first, false)).toMatchObject({ cpuPct: null, ramPct: null });
        const startedAt = performance.now();
        for (const path of ['metrics', 'health', 'disk-usage', 'metrics', 'health', 'disk-usage'])
          expect((await panel.call('GET', `/services/${first}/${path}`)).status).toBe(200);
        expect(performance.now() - startedAt).toBeLessThan(3_000 * PATIENCE);
        expect((await panel.call('GET', `/services/${first}/health`)).body.status).toBe('unknown');
      } finally {
        engine.thaw();
      }
      expect(await untilMetered(first)).toMatchObject({ cpuPct: expect.any(Number) });
      await eventually(
        () => Promise.resolve(handles(worker)),
        (count) => count <= open + 5,
        20_000,
      );
      await isWhole(first);
    },
    60_000,
  );
});
