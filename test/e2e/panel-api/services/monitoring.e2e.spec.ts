import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import { DiskLimits } from '#libs/services';
import { PATIENCE } from '../../../../tools/lib/tests/patience.mjs';
import { describeWithEngine } from '../../../support/docker/engine.js';
import { engineJson } from '../../../support/docker/engine-http.js';
import { EngineProxy } from '../../../support/docker/engine-proxy.js';
import { eventually } from '../../../support/docker/eventually.js';
import { makeImage, removeImage } from '../../../support/docker/images.js';
import { startPanelWithWorker, type PanelWithWorker } from '../../../support/services/panel-with-worker.js';

const MB = 1024 * 1024;
const IMAGE = `monitoring-${process.pid}/web:1`;
/** dd keeps filling its buffer of 100 MB. The file that was written before is page cache and must not count as use. */
const BURN = 'busybox dd if=/dev/zero of=/file bs=1M count=60; exec busybox dd if=/dev/zero of=/dev/null bs=100M';
const LEAK = 'i=0; while :; do busybox dd if=/dev/zero of=/dev/shm/$$i bs=1M count=2; i=$$((i+1)); sleep 1; done';
const PASSING_HEALTH = 'touch /tmp/ok; sleep 8; busybox rm /tmp/ok; exec sleep 3600';
const PROBE = '{test: [CMD-SHELL, "echo \\"seen\\u0007\\"; busybox test -e /tmp/ok"], interval: 300ms, retries: 2}';

const compose = (command: string, more = '') =>
  `services:\n  web:\n    image: '${IMAGE}'\n    stop_grace_period: 100ms\n    command: [sh, -c, '${command}']\n${more}`;

interface Inspected {
  readonly RestartCount: number;
  readonly State: {
    readonly Status: string;
    readonly Health?: { readonly Status: string; readonly FailingStreak: number };
  };
}

describeWithEngine('the monitoring of services', () => {
  let panel: PanelWithWorker;
  let engine: EngineProxy;
  const workers: INestApplicationContext[] = [];
  const stories = new Map<string, Promise<void>>();
  const settings = { SERVICES_SAMPLE_SECONDS: '0.5' };

  beforeAll(async () => {
    await makeImage(IMAGE);
    engine = await EngineProxy.create();
    await engine.open();
    panel = await startPanelWithWorker({
      dockerHost: engine.host,
      instance: `monitoring-${process.pid}`,
      gateSeconds: 0.2,
      settings,
    });
  }, 60_000);

  afterAll(async () => {
    engine.speakAgain();
    await panel?.close();
    await engine.remove();
    await removeImage(IMAGE);
  }, 60_000);

  const get = async (path: string) => (await panel.admin.get(`/api/v1/services${path}`)).body;
  const summaryOf = async (id: string) => (await get(`/metrics/summary?ids=${id}`)).summaries[id];
  const inspect = (containerId: string) => engineJson<Inspected>('GET', `/containers/${containerId}/json`);
  const create = async (name: string, composeYaml: string, resourceLimits = {}) => {
    const answer = await panel.admin.post('/api/v1/services', { name, composeYaml, resourceLimits });
    expect(answer.status).toBe(202);
    return answer.body.serviceId as string;
  };
  const containerOf = async (id: string): Promise<string> => {
    await panel.until(id, 'running');
    await panel.untilOver(id);
    const { containerIds } = await get(`/${id}`);
    expect(containerIds).not.toEqual([]);
    return containerIds[0];
  };
  const available = (id: string, wanted = true) =>
    eventually(
      () => summaryOf(id),
      (summary) => summary.available === wanted,
      40_000,
    );

  it('reports before the first sample that there is no history', async () => {
    const id = await create('cold', compose('exec sleep 3600'));
    const cold = { available: false, cpuPct: null, ramPct: null, cpuSpark: [], ramSpark: [] };
    expect((await get('/metrics/summary')).summaries).toEqual({ [id]: cold });
    expect(await get(`/${id}/metrics?range=15m`)).toMatchObject({
      serviceId: id,
      available: false,
      sampledAt: null,
      stepSeconds: 10,
      current: null,
      series: [],
    });
    expect(await get(`/${id}/health`)).toEqual({
      serviceId: id,
      status: 'unknown',
      checkedAt: null,
      containers: [],
      recovery: { enabled: true, attempts: 0, lastAt: null, nextAt: null },
    });
    expect(await get(`/${id}/disk-usage`)).toMatchObject({ available: false, totalBytes: null, usedPct: null });
    await panel.admin.delete(`/api/v1/services/${id}`);
    workers.push(await panel.startWorker(), await panel.startWorker());
    await panel.until(id, 'gone');
    // The services run at the same time, to save time.
    for (const story of [burn, leak, restless, fading]) {
      const told = story();
      told.catch(() => undefined);
      stories.set(story.name, told);
    }
  }, 60_000);

  it('reports the same as docker for a service that uses a core and holds 100 MB', () => stories.get('burn')!, 60_000);

  it('shows a memory leak', () => stories.get('leak')!, 90_000);

  it(
    'reports the same as docker inspect for a container that keeps restarting',
    () => stories.get('restless')!,
    60_000,
  );

  it('reports a service that becomes unhealthy, and restarts it', () => stories.get('fading')!, 60_000);

  it('responds at once while the engine is silent, and reports that the state is unknown', async () => {
    const id = await create('frozen', compose('exec sleep 3600', '    init: true\n'));
    await available(id);
    const { cpuSpark } = await summaryOf(id);
    const before = engine.connections;
    engine.fallSilent();
    const silent = await available(id, false);
    expect(silent).toMatchObject({ cpuPct: null, ramPct: null, cpuSpark });
    const startedAt = performance.now();
    for (const path of ['metrics?range=15m', 'metrics?range=24h', 'health', 'disk-usage']) await get(`/${id}/${path}`);
    expect(performance.now() - startedAt).toBeLessThan(2_000 * PATIENCE);
    expect((await get(`/${id}/health`)).status).toBe('unknown');
    engine.speakAgain();
    expect(await available(id)).toMatchObject({ cpuPct: expect.any(Number) });
    await eventually(
      () => Promise.resolve(engine.connections),
      (open) => open <= before + 2,
      15_000,
    );
  }, 60_000);

  it.each([
    ['an id that is no UUID', '/metrics/summary?ids=7', '/ids'],
    ['one such id among others', `/metrics/summary?ids=${randomUUID()},x`, '/ids'],
    ['too many ids', `/metrics/summary?ids=${Array.from({ length: 401 }, () => randomUUID()).join(',')}`, '/ids'],
    ['an unknown range', `/${randomUUID()}/metrics?range=2h`, '/range'],
    ['an empty range', `/${randomUUID()}/metrics?range=`, '/range'],
  ])('refuses %s and names the field', async (_, path, pointer) => {
    const { status, body } = await panel.admin.get(`/api/v1/services${path}`);
    expect([status, body.error.code, body.error.details[0].path]).toEqual([422, 'validation_failed', pointer]);
  });

  it('answers 404 for a missing service', async () => {
    const nobody = randomUUID();
    expect((await get(`/metrics/summary?ids=${nobody.toUpperCase()}`)).summaries).toEqual({});
    expect((await get('/metrics/summary?ids=')).summaries).toEqual({});
    for (const path of ['metrics', 'health', 'disk-usage'])
      expect((await panel.admin.get(`/api/v1/services/${nobody}/${path}`)).status).toBe(404);
  });

  async function burn(): Promise<void> {
    const id = await create('burn', compose(BURN), { cpuCores: 2, memoryMb: 256 });
    const containerId = await containerOf(id);
    const { CgroupVersion } = await engineJson<{ CgroupVersion: string }>('GET', '/info');
    process.stderr.write(`the figures are compared on an engine with cgroup v${CgroupVersion}\n`);
    const current = async () => (await get(`/${id}/metrics?range=15m`)).current;
    await eventually(current, (now) => now?.memoryUsedBytes > 100 * MB && now.cpuPct > 1, 15_000);
    // On a busy machine samples differ, so the last of several samples of docker is compared with some tolerance.
    await eventually(
      async () => ({ docker: dockerStats(containerId), ours: await current() }),
      ({ docker, ours }) =>
        Math.abs(docker.cores * 50 - ours.cpuPct) < 12 && Math.abs(docker.memoryMb - ours.memoryUsedBytes / MB) < 3,
      45_000,
    );
    const now = await current();
    expect(now).toMatchObject({ memoryLimitBytes: 256 * MB, pids: 1, netTxBytes: expect.any(Number) });
    expect(now.memoryUsedBytes / MB).toBeLessThan(110);
    expect(now.ramPct).toBeCloseTo((now.memoryUsedBytes / MB / 256) * 100, 1);
    expect(now.cpuPct).toBeLessThan(60);
    const { containers, series } = await get(`/${id}/metrics`);
    expect(containers).toMatchObject([{ id: containerId, name: 'web' }]);
    expect(series.at(-1).cpuPct).toBeGreaterThan(1);
    await workers[0]!.get(DiskLimits).check();
    const disk = await get(`/${id}/disk-usage`);
    expect(disk).toMatchObject({
      available: true,
      limitBytes: 5_120 * MB,
      totalBytes: 60 * MB,
      usedPct: 1.2,
      volumes: [],
      containers: [{ id: containerId, writableBytes: 60 * MB }],
      logsBytes: null,
      images: [{ ref: IMAGE }],
    });
    await panel.admin.delete(`/api/v1/services/${id}`);
  }

  async function leak(): Promise<void> {
    const id = await create('leak', compose(LEAK), { memoryMb: 128 });
    await available(id);
    const first = (await summaryOf(id)).ramPct;
    const later = await eventually(
      () => summaryOf(id),
      ({ ramPct }) => ramPct > first + 5,
      30_000,
    );
    expect(later.ramSpark.at(-1)).toBeLessThanOrEqual(later.ramPct);
    await panel.admin.delete(`/api/v1/services/${id}`);
  }

  async function restless(): Promise<void> {
    // The first run lasts longer than the health gate, even on a slow engine.
    const life = '[ -e /lived ] || sleep 8; touch /lived; sleep 1; exit 3';
    const id = await create('restless', compose(life, '    restart: always\n'));
    const containerId = await containerOf(id);
    await eventually(
      async () => ({ seen: (await get(`/${id}/health`)).containers[0], docker: await inspect(containerId) }),
      ({ seen, docker }) => seen?.restartCount > 1 && seen.restartCount === docker.RestartCount,
      45_000,
    );
    const { status } = await eventually(
      () => get(`/${id}/health`),
      (health) => health.status === 'unhealthy',
      15_000,
    );
    expect(status).toBe('unhealthy');
    await panel.admin.delete(`/api/v1/services/${id}`);
  }

  async function fading(): Promise<void> {
    const id = await create('fading', compose(PASSING_HEALTH, `    init: true\n    healthcheck: ${PROBE}\n`));
    const healths = new Set<string>();
    const recovered = await eventually(
      async () => {
        const health = await get(`/${id}/health`);
        healths.add(health.status);
        return health;
      },
      ({ recovery }) => recovery.attempts === 1,
      40_000,
    );
    expect([...healths]).toEqual(expect.arrayContaining(['healthy', 'unhealthy']));
    const containerId = await containerOf(id);
    expect(Date.parse(recovered.recovery.nextAt) - Date.parse(recovered.recovery.lastAt)).toBe(30_000);
    const restart = (await get(`/${id}/deployments`)).data.find(({ trigger }: any) => trigger === 'restart');
    expect(restart).toMatchObject({ actor: { userId: null, apiKeyId: null } });
    expect(restart.errorMessage).toMatch(/^health_gate_failed: .* restart 1 by the panel\.$/);
    await panel.untilOver(id);
    // It becomes unhealthy again, and the next attempt waits.
    await eventually(
      async () => ({ ours: await get(`/${id}/health`), docker: (await inspect(containerId)).State.Health! }),
      ({ ours, docker }) =>
        ours.status === 'unhealthy' && docker.FailingStreak > 2 && ours.containers[0].failingStreak > 2,
      30_000,
    );
    const { recovery, containers } = await get(`/${id}/health`);
    expect(recovery.attempts).toBe(1);
    expect(containers).toMatchObject([
      { state: 'running', health: 'unhealthy', lastProbe: { exitCode: 1, output: 'seen\n' } },
    ]);
    await panel.admin.delete(`/api/v1/services/${id}`);
  }
});

/** The use that users expect: in cores, and memory without page cache. */
function dockerStats(containerId: string): { readonly cores: number; readonly memoryMb: number } {
  const args = ['stats', '--no-stream', '--format', '{{.CPUPerc}} {{.MemUsage}}', containerId];
  const [, cpu, memory] = /^([\d.]+)% ([\d.]+)MiB/.exec(spawnSync('docker', args, { encoding: 'utf8' }).stdout) ?? [];
  return { cores: Number(cpu) / 100, memoryMb: Number(memory) };
}
