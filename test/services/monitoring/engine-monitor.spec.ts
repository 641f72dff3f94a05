import { DataSource } from 'typeorm';
import { EngineMonitor, MonitoringQueries, OrganisationScope } from '#libs/services';
import type { Uuid } from '#kernel/uuid';
import { FakeContainerRuntime } from '../../support/docker/fake-container-runtime.js';
import { FakeContainerStats } from '../../support/docker/fake-container-stats.js';
import { ShiftedClock } from '../../support/fixed-clock.js';
import { startPipeline, type Pipeline } from '../../support/services/pipeline.js';

const MB = 1024 * 1024;
const HOUR = 3_600_000;
const IMAGE = 'registry.example.com/acme/web:1';
const WEB = `services:\n  web: {image: '${IMAGE}'}\n`;
const CHECKED = `services:\n  web: {image: '${IMAGE}', healthcheck: {test: [CMD, 'true'], interval: 1s}}\n`;

describe('the look at the engine', () => {
  const runtime = new FakeContainerRuntime();
  const stats = new FakeContainerStats(runtime);
  const clock = new ShiftedClock();
  const never = new AbortController().signal;
  let pipeline: Pipeline;
  let second: Pipeline;
  let monitor: EngineMonitor;
  let queries: MonitoringQueries;

  beforeAll(async () => {
    runtime.state.publish(IMAGE, {});
    pipeline = await startPipeline(runtime, { stats, clock });
    second = await startPipeline(runtime, { stats, clock, database: pipeline.database });
    monitor = pipeline.app.get(EngineMonitor);
    queries = pipeline.app.get(MonitoringQueries);
  });
  afterEach(async () => {
    runtime.answers = true;
    await second.app.get(EngineMonitor).release();
    await sql("update services.services set status = 'stopped', desired_state = 'stopped'");
  });
  afterAll(async () => {
    await second?.app.close();
    await pipeline?.close();
  });

  const sql = <T>(statement: string, values: unknown[] = []) =>
    pipeline.app.get(DataSource).query<T[]>(statement, values);
  const all = OrganisationScope.all;
  const round = async (by = monitor) => {
    expect(await by.hold()).toBe(true);
    // The counters of the fake go by the clock of the machine.
    await new Promise((resolve) => setTimeout(resolve, 25));
    return by.round(never);
  };
  const rounds = async (count: number) => {
    const restarted: Uuid[][] = [];
    for (let look = 0; look < count; look += 1) restarted.push([...(await round())]);
    return restarted;
  };
  const summaryOf = async (id: Uuid) => (await queries.summary(all, [id])).get(id)!;
  const metricsOf = async (id: Uuid) => (await queries.metrics(all, id, '15m'))!;
  const healthOf = async (id: Uuid) => (await queries.health(all, id))!;
  const containerOf = (id: Uuid, role = 'web') =>
    [...runtime.state.containers.values()].find(({ spec }) => spec.owner.serviceId === id && spec.owner.role === role)!;
  const age = (table: string, id: Uuid, seconds: number) =>
    sql(`update services.${table} set stored_at = stored_at - $2 * interval '1 second' where service_id = $1`, [
      ...[id, seconds],
    ]);
  const healthEvents = (id: Uuid) =>
    sql<{ data: object }>(
      "select data from services.feed where type = 'service.health' and service_id = $1 order by seq",
      [id],
    );

  it('knows nothing before it has looked twice', async () => {
    const id = await pipeline.create(WEB);
    const cold = { cpuPct: null, ramPct: null, cpuSpark: [], ramSpark: [], available: false };
    expect(await summaryOf(id)).toEqual(cold);
    await round();
    expect(await summaryOf(id)).toEqual(cold);
    expect(await metricsOf(id)).toMatchObject({
      ...{ available: false, sampledAt: null, current: null, series: [], containers: [], stepSeconds: 10 },
    });
    await round();
    expect(await summaryOf(id)).toEqual({
      ...{ cpuPct: 0, ramPct: expect.any(Number), cpuSpark: [0], ramSpark: [expect.any(Number)], available: true },
    });
  });

  it('tells what the containers of a service use of its limits', async () => {
    const id = await pipeline.create(`services:\n  web: {image: '${IMAGE}'}\n  db: {image: '${IMAGE}'}\n`);
    stats.uses.set(containerOf(id, 'web').name, { cores: 1, memoryBytes: 512 * MB });
    stats.uses.set(containerOf(id, 'db').name, { cores: 2, memoryBytes: 512 * MB });
    await rounds(2);
    const { current, containers, series, available } = await metricsOf(id);
    expect(current).toMatchObject({ ramPct: 50, memoryUsedBytes: 1024 * MB, memoryLimitBytes: 2048 * MB, pids: 2 });
    expect(current!.cpuPct).toBeCloseTo(75, -1);
    expect(series.at(-1)).toMatchObject({ ramPct: 50, netRxBps: 0, netTxBps: 0 });
    expect([available, containers.map(({ name }) => name).sort()]).toEqual([true, ['db', 'web']]);
    for (const range of ['1h', '6h', '24h'] as const)
      expect((await queries.metrics(all, id, range))!.series).toMatchObject([{ ramPct: 50 }]);
  });

  it('is known to be zero of a service that was stopped', async () => {
    const id = await pipeline.create(WEB);
    await rounds(2);
    await pipeline.do(id, 'stop');
    await round();
    expect(await summaryOf(id)).toMatchObject({ cpuPct: 0, ramPct: 0, available: true });
    expect(await healthOf(id)).toMatchObject({ status: 'none', containers: [{ state: 'exited' }] });
  });

  it('is no longer current after 25 seconds, and no sparkline after half an hour', async () => {
    const id = await pipeline.create(WEB);
    await rounds(2);
    await age('metrics_now', id, 26);
    expect(await summaryOf(id)).toMatchObject({ cpuPct: null, ramPct: null, available: false, cpuSpark: [0] });
    expect(await metricsOf(id)).toMatchObject({ available: false, current: null, containers: [] });
    expect((await metricsOf(id)).sampledAt).not.toBeNull();
    await age('metrics_now', id, 1_800);
    expect(await summaryOf(id)).toMatchObject({ cpuSpark: [], ramSpark: [] });
    await age('metrics_now', id, -7_200);
    expect(await summaryOf(id)).toMatchObject({ available: false });
    await age('health', id, 31);
    expect(await healthOf(id)).toMatchObject({ status: 'unknown', containers: [{ state: 'running' }] });
  });

  it('says at once that an engine does not answer, and goes on where it was', async () => {
    const id = await pipeline.create(WEB);
    await rounds(2);
    runtime.answers = false;
    await expect(monitor.knock(never)).rejects.toThrow(/No Docker engine/);
    expect(await summaryOf(id)).toMatchObject({ cpuPct: null, ramPct: null, available: false, cpuSpark: [0] });
    expect(await healthOf(id)).toMatchObject({ status: 'unknown' });
    await expect(round()).rejects.toThrow(/No Docker engine/);
    runtime.answers = true;
    await round();
    expect(await summaryOf(id)).toMatchObject({ cpuPct: 0, available: true });
    expect(await healthOf(id)).toMatchObject({ status: 'none' });
    expect(await healthEvents(id)).toHaveLength(1);
  });

  it('does without one container that does not answer', async () => {
    const [one, other] = [await pipeline.create(WEB), await pipeline.create(WEB)];
    await rounds(2);
    await age('metrics_now', one, 60);
    await age('metrics_now', other, 60);
    stats.mute.add(containerOf(one).id);
    await round();
    expect(await summaryOf(one)).toMatchObject({ available: false });
    expect(await summaryOf(other)).toMatchObject({ available: true });
  });

  it.each([
    ['forward', 5 * HOUR],
    ['back', -5 * HOUR],
  ])('goes on when the clock is put %s, and the sparkline stays as it was', async (_, jump) => {
    const id = await pipeline.create(WEB);
    await rounds(2);
    const before = await summaryOf(id);
    clock.advance(jump);
    await rounds(2);
    expect(await summaryOf(id)).toMatchObject({ available: true, cpuSpark: before.cpuSpark });
    const { series, from, to, sampledAt } = await metricsOf(id);
    expect(series).toHaveLength(1);
    expect(series[0]!.t >= from && series[0]!.t <= to && sampledAt! <= to).toBe(true);
    clock.advance(-jump);
    await round();
    expect(await summaryOf(id)).toMatchObject({ available: true, cpuSpark: before.cpuSpark });
    await monitor.clear();
    const future = new Date(clock.now().getTime() + HOUR);
    for (const [table, column] of [
      ['metrics_samples', 'at'],
      ['metrics_minutes', 'minute'],
    ] as const)
      expect(await sql(`select 1 from services.${table} where ${column} > $1`, [future])).toEqual([]);
    expect((await metricsOf(id)).series.length).toBeGreaterThan(0);
  });

  it('keeps what an answer can show, and not more', async () => {
    const id = await pipeline.create(WEB);
    await rounds(2);
    await sql(
      `insert into services.metrics_samples select $1, now() - n * interval '10 s', 1, 1, 1, 1 from generate_series(1, 300) n`,
      [id],
    );
    await sql(
      `insert into services.metrics_minutes select $1, date_trunc('minute', now()) - n * interval '1 min', 1, 1, 1, 1, 1
         from generate_series(1, 2000) n`,
      [id],
    );
    await monitor.clear();
    const left = async (table: string) =>
      (await sql(`select 1 from services.${table} where service_id = $1`, [id])).length;
    expect([await left('metrics_samples'), await left('metrics_minutes')]).toEqual([120, 1_500]);
    expect((await metricsOf(id)).series.length).toBeLessThanOrEqual(90);
    expect((await queries.metrics(all, id, '24h'))!.series.length).toBeLessThanOrEqual(96);
  });

  it('is taken by one process at a time, and by the next one with all that was seen', async () => {
    const other = second.app.get(EngineMonitor);
    const id = await pipeline.create(WEB);
    await rounds(2);
    expect(await other.hold()).toBe(false);
    await monitor.release();
    expect(await other.hold()).toBe(true);
    expect(await monitor.hold()).toBe(false);
    await expect(monitor.round(never)).rejects.toThrow(/another process/);
    await round(other);
    await round(other);
    expect(await summaryOf(id)).toMatchObject({ available: true, cpuSpark: [0] });
    expect(await healthEvents(id)).toHaveLength(1);
    await sql("update services.collectors set lease_expires_at = now() + interval '1 hour'");
    expect(await monitor.hold()).toBe(true);
  });

  it('goes with its service, also what was on its way meanwhile', async () => {
    const id = await pipeline.create(WEB);
    await rounds(2);
    await pipeline.do(id, 'remove');
    const tables = ['metrics_now', 'metrics_samples', 'metrics_minutes', 'health'];
    const left = async () => {
      const counts = tables.map((table) => sql(`select 1 from services.${table} where service_id = $1`, [id]));
      return (await Promise.all(counts)).flat().length;
    };
    expect(await left()).toBe(0);
    await sql(`insert into services.metrics_now values ($1, now(), now(), '{}', '[]', '[]', '[]', '[]', '[]')`, [id]);
    expect(await queries.metrics(all, id, '1h')).toBeNull();
    await monitor.clear();
    expect(await left()).toBe(0);
  });

  it('leaves the infrastructure of the panel out, and what lies outside the scope', async () => {
    const [hidden, shown] = [await pipeline.create(WEB), await pipeline.create(WEB)];
    await sql('update services.services set hidden = true where id = $1', [hidden]);
    const summaries = await queries.summary(all, null);
    expect([summaries.has(hidden), summaries.has(shown)]).toEqual([false, true]);
    expect(await queries.health(all, hidden)).toBeNull();
    expect((await queries.summary(OrganisationScope.of([]), null)).size).toBe(0);
    for (const ask of ['health', 'diskUsage'] as const)
      expect(await queries[ask](OrganisationScope.of([]), shown)).toBeNull();
    await sql('update services.services set hidden = false');
  });

  describe('and the health of services', () => {
    it('is told when it changes, and only then', async () => {
      const id = await pipeline.create(CHECKED);
      await rounds(2);
      expect(await healthOf(id)).toMatchObject({
        status: 'healthy',
        containers: [{ name: 'web', health: 'healthy', failingStreak: 0, lastProbe: { exitCode: 0 } }],
        recovery: { enabled: true, attempts: 0, lastAt: null, nextAt: null },
      });
      runtime.containers.setHealth(containerOf(id).id, 'unhealthy');
      await rounds(2);
      expect(await healthOf(id)).toMatchObject({ status: 'unhealthy', containers: [{ failingStreak: 2 }] });
      expect((await healthEvents(id)).map(({ data }) => data)).toEqual([
        { status: 'healthy', previous: null },
        { status: 'unhealthy', previous: 'healthy' },
      ]);
    });

    it('is bad while a container restarts for ever, also when it runs at the moment of the look', async () => {
      const id = await pipeline.create(WEB);
      await round();
      containerOf(id).restartCount = 7;
      await round();
      expect(await healthOf(id)).toMatchObject({ status: 'unhealthy', containers: [{ restartCount: 7 }] });
      await round();
      expect(await healthOf(id)).toMatchObject({ status: 'none' });
    });

    it('leads to restarts when it stays bad, with pauses between them that outlive the process', async () => {
      const id = await pipeline.create(CHECKED);
      await round();
      const fall = () => runtime.containers.setHealth(containerOf(id).id, 'unhealthy');
      fall();
      expect(await rounds(3)).toEqual([[], [], [id]]);
      expect(await pipeline.service(id)).toMatchObject({ status: 'restarting' });
      expect((await healthOf(id)).recovery).toMatchObject({ attempts: 1, lastAt: expect.any(Date) });
      await pipeline.workOff();
      expect(await pipeline.last(id)).toMatchObject({
        ...{ trigger: 'restart', status: 'succeeded', actor: { userId: null, apiKeyId: null } },
        errorMessage: 'health_gate_failed: The service stayed unhealthy: restart 1 by the panel.',
      });
      fall();
      expect((await rounds(4)).flat()).toEqual([]);
      // The process is another one from here on.
      await monitor.release();
      expect(await monitor.hold()).toBe(true);
      clock.advance(30_000);
      expect(await rounds(1)).toEqual([[id]]);
      const { attempts, lastAt, nextAt } = (await healthOf(id)).recovery;
      expect([attempts, nextAt!.getTime() - lastAt!.getTime()]).toEqual([2, 60_000]);
      await pipeline.workOff();
      await round();
      clock.advance(600_000);
      await round();
      expect((await healthOf(id)).recovery).toMatchObject({ attempts: 0, nextAt: null });
    });

    it('leads to none beside or behind another operation, nor of a service that is not to run', async () => {
      const id = await pipeline.create(CHECKED);
      await round();
      runtime.containers.setHealth(containerOf(id).id, 'unhealthy');
      await rounds(2);
      await pipeline.control.act(all, id, 'redeploy', { userId: null, apiKeyId: null });
      expect((await rounds(4)).flat()).toEqual([]);
      await pipeline.workOff();
      runtime.containers.setHealth(containerOf(id).id, 'unhealthy');
      await rounds(2);
      await sql("update services.services set status = 'error' where id = $1", [id]);
      expect((await rounds(4)).flat()).toEqual([]);
    });
  });
});
