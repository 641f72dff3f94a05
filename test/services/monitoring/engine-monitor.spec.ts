import { DiskLimits, OrganisationScope, type MonitoringQueries } from '#libs/services';
import type { FakeContainerRuntime } from '../../support/docker/fakes/fake-container-runtime.js';
import { IMAGE, MonitoredPipeline, WEB } from '../../support/services/monitored-pipeline.js';
import type { Pipeline } from '../../support/services/pipeline.js';
import { itWatchesHealth } from './health-cases.js';

const all = OrganisationScope.all;
const NEVER = new AbortController().signal;
const MB = 1024 * 1024;
const HOUR = 3_600_000;

describe('the look at the engine', () => {
  let bed: MonitoredPipeline;
  let pipeline: Pipeline;
  let runtime: FakeContainerRuntime;
  let queries: MonitoringQueries;

  beforeAll(async () => {
    bed = await MonitoredPipeline.start();
    ({ pipeline, runtime, queries } = bed);
  });
  afterEach(() => bed.settle());
  afterAll(() => bed?.close());

  it('knows nothing before it has looked twice', async () => {
    const id = await pipeline.create(WEB);
    const cold = { cpuPct: null, ramPct: null, cpuSpark: [], ramSpark: [], available: false };
    expect(await bed.summaryOf(id)).toEqual(cold);
    await bed.round();
    expect(await bed.summaryOf(id)).toEqual(cold);
    expect(await bed.metricsOf(id)).toMatchObject({
      available: false,
      sampledAt: null,
      current: null,
      series: [],
      containers: [],
      stepSeconds: 10,
    });
    await bed.round();
    expect(await bed.summaryOf(id)).toEqual({
      cpuPct: 0,
      ramPct: expect.any(Number),
      cpuSpark: [0],
      ramSpark: [expect.any(Number)],
      available: true,
    });
  });

  it('tells what the containers of a service use of its limits', async () => {
    const id = await pipeline.create(`services:\n  web: {image: '${IMAGE}'}\n  db: {image: '${IMAGE}'}\n`);
    bed.stats.uses.set(bed.containerOf(id, 'web').name, { cores: 1, memoryBytes: 512 * MB });
    bed.stats.uses.set(bed.containerOf(id, 'db').name, { cores: 2, memoryBytes: 512 * MB });
    await bed.rounds(2);
    const { current, containers, series, available } = await bed.metricsOf(id);
    expect(current).toMatchObject({ ramPct: 50, memoryUsedBytes: 1024 * MB, memoryLimitBytes: 2048 * MB, pids: 2 });
    expect(current!.cpuPct).toBeCloseTo(75, -1);
    expect(series.at(-1)).toMatchObject({ ramPct: 50, netRxBps: 0, netTxBps: 0 });
    expect([available, containers.map(({ name }) => name).sort()]).toEqual([true, ['db', 'web']]);
    for (const range of ['1h', '6h', '24h'] as const)
      expect((await bed.metricsOf(id, range)).series).toMatchObject([{ ramPct: 50 }]);
  });

  it('is known to be zero of a service that was stopped', async () => {
    const id = await pipeline.create(WEB);
    await bed.rounds(2);
    await pipeline.do(id, 'stop');
    await bed.round();
    expect(await bed.summaryOf(id)).toMatchObject({ cpuPct: 0, ramPct: 0, available: true });
    expect(await bed.healthOf(id)).toMatchObject({ status: 'none', containers: [{ state: 'exited' }] });
  });

  it('is no longer current after 25 seconds, and no sparkline after half an hour', async () => {
    const id = await pipeline.create(WEB);
    await bed.rounds(2);
    await bed.age('metrics_now', id, 26);
    expect(await bed.summaryOf(id)).toMatchObject({ cpuPct: null, ramPct: null, available: false, cpuSpark: [0] });
    expect(await bed.metricsOf(id)).toMatchObject({ available: false, current: null, containers: [] });
    expect((await bed.metricsOf(id)).sampledAt).not.toBeNull();
    await bed.age('metrics_now', id, 1_800);
    expect(await bed.summaryOf(id)).toMatchObject({ cpuSpark: [], ramSpark: [] });
    await bed.age('metrics_now', id, -7_200);
    expect(await bed.summaryOf(id)).toMatchObject({ available: false });
    await bed.age('health', id, 31);
    expect(await bed.healthOf(id)).toMatchObject({ status: 'unknown', containers: [{ state: 'running' }] });
  });

  it('says at once that an engine does not answer, and goes on where it was', async () => {
    const id = await pipeline.create(WEB);
    await bed.rounds(2);
    runtime.answers = false;
    await expect(bed.monitor.knock(NEVER)).rejects.toThrow(/No Docker engine/);
    expect(await bed.summaryOf(id)).toMatchObject({ cpuPct: null, ramPct: null, available: false, cpuSpark: [0] });
    expect(await bed.healthOf(id)).toMatchObject({ status: 'unknown' });
    await expect(bed.round()).rejects.toThrow(/No Docker engine/);
    runtime.answers = true;
    await bed.round();
    expect(await bed.summaryOf(id)).toMatchObject({ cpuPct: 0, available: true });
    expect(await bed.healthOf(id)).toMatchObject({ status: 'none' });
    expect(await bed.healthEvents(id)).toHaveLength(1);
  });

  it('does without one container that does not answer', async () => {
    const [one, other] = [await pipeline.create(WEB), await pipeline.create(WEB)];
    await bed.rounds(2);
    await bed.age('metrics_now', one, 60);
    await bed.age('metrics_now', other, 60);
    bed.stats.mute.add(bed.containerOf(one).id);
    await bed.round();
    expect(await bed.summaryOf(one)).toMatchObject({ available: false });
    expect(await bed.summaryOf(other)).toMatchObject({ available: true });
  });

  it('knows how containers are that the engine does not measure, even if it measures none', async () => {
    const id = await pipeline.create(WEB);
    await bed.rounds(2);
    await bed.age('metrics_now', id, 60);
    await bed.age('health', id, 60);
    for (const containerId of runtime.state.containers.keys()) bed.stats.mute.add(containerId);
    expect((await bed.healthOf(id)).status).toBe('unknown');
    await bed.round();
    expect(await bed.summaryOf(id)).toMatchObject({ available: false, cpuPct: null });
    expect(await bed.healthOf(id)).toMatchObject({ status: 'none', containers: [{ state: 'running' }] });
    bed.stats.mute.clear();
    await bed.round();
    expect(await bed.summaryOf(id)).toMatchObject({ available: true });
  });

  it.each([
    ['forward', 5 * HOUR],
    ['back', -5 * HOUR],
  ])('goes on when the clock is put %s, and the sparkline stays as it was', async (_, jump) => {
    const id = await pipeline.create(WEB);
    await bed.rounds(2);
    const before = await bed.summaryOf(id);
    bed.clock.advance(jump);
    await bed.rounds(2);
    expect(await bed.summaryOf(id)).toMatchObject({ available: true, cpuSpark: before.cpuSpark });
    const { series, from, to, sampledAt } = await bed.metricsOf(id);
    // One step of ten seconds, or two where the looks lie on both sides of a boundary.
    expect([1, 2]).toContain(series.length);
    expect(series.every(({ t }) => t >= from && t <= to) && sampledAt! <= to).toBe(true);
    bed.clock.advance(-jump);
    await bed.round();
    expect(await bed.summaryOf(id)).toMatchObject({ available: true, cpuSpark: before.cpuSpark });
    await bed.monitor.clear();
    const future = new Date(bed.clock.now().getTime() + HOUR);
    for (const [table, column] of [
      ['metrics_samples', 'at'],
      ['metrics_minutes', 'minute'],
    ] as const)
      expect(await bed.sql(`select 1 from services.${table} where ${column} > $1`, [future])).toEqual([]);
    expect((await bed.metricsOf(id)).series.length).toBeGreaterThan(0);
  });

  it('keeps what an answer can show, and not more', async () => {
    const id = await pipeline.create(WEB);
    await bed.rounds(2);
    await bed.sql(
      `insert into services.metrics_samples select $1, now() - n * interval '10 s', 1, 1, 1, 1 from generate_series(1, 300) n`,
      [id],
    );
    await bed.sql(
      `insert into services.metrics_minutes select $1, date_trunc('minute', now()) - n * interval '1 min', 1, 1, 1, 1, 1
         from generate_series(1, 2000) n`,
      [id],
    );
    await bed.monitor.clear();
    const left = async (table: string) =>
      (await bed.sql(`select 1 from services.${table} where service_id = $1`, [id])).length;
    expect([await left('metrics_samples'), await left('metrics_minutes')]).toEqual([120, 1_500]);
    expect((await bed.metricsOf(id)).series.length).toBeLessThanOrEqual(90);
    expect((await bed.metricsOf(id, '24h')).series.length).toBeLessThanOrEqual(96);
  });

  it('is taken by one process at a time, and by the next one with all that was seen', async () => {
    const other = bed.otherMonitor;
    const id = await pipeline.create(WEB);
    await bed.rounds(2);
    expect(await other.hold()).toBe(false);
    await bed.monitor.release();
    expect(await other.hold()).toBe(true);
    expect(await bed.monitor.hold()).toBe(false);
    await expect(bed.monitor.round(NEVER)).rejects.toThrow(/another process/);
    await bed.round(other);
    await bed.round(other);
    expect(await bed.summaryOf(id)).toMatchObject({ available: true, cpuSpark: [0] });
    expect(await bed.healthEvents(id)).toHaveLength(1);
    // The other one ends without a word; then, the clock of the database is put back.
    for (const end of ["now() - interval '1 second'", "now() + interval '1 hour'"]) {
      expect(await other.hold()).toBe(true);
      expect(await bed.monitor.hold()).toBe(false);
      await bed.sql(`update services.collectors set lease_expires_at = ${end}`);
      expect(await bed.monitor.hold()).toBe(true);
      await bed.monitor.release();
    }
  });

  it('goes with its service, also what was on its way meanwhile', async () => {
    const id = await pipeline.create(WEB);
    await bed.rounds(2);
    await pipeline.do(id, 'remove');
    const tables = ['metrics_now', 'metrics_samples', 'metrics_minutes', 'health'];
    const left = async () => {
      const counts = tables.map((table) => bed.sql(`select 1 from services.${table} where service_id = $1`, [id]));
      return (await Promise.all(counts)).flat().length;
    };
    expect(await left()).toBe(0);
    await bed.sql(
      `insert into services.metrics_now values ($1, now(), now(), 0, 0, '{}', '[]', '[]', '[]', '[]', '[]')`,
      [id],
    );
    expect(await queries.metrics(all, id, '1h')).toBeNull();
    await bed.monitor.clear();
    expect(await left()).toBe(0);
  });

  it('leaves the infrastructure of the panel out, and what lies outside the scope', async () => {
    const [hidden, shown] = [await pipeline.create(WEB), await pipeline.create(WEB)];
    await bed.sql('update services.services set hidden = true where id = $1', [hidden]);
    const summaries = await queries.summary(all, null);
    expect([summaries.has(hidden), summaries.has(shown)]).toEqual([false, true]);
    expect(await queries.health(all, hidden)).toBeNull();
    expect((await queries.summary(OrganisationScope.of([]), null)).size).toBe(0);
    for (const ask of ['health', 'diskUsage'] as const)
      expect(await queries[ask](OrganisationScope.of([]), shown)).toBeNull();
    await bed.sql('update services.services set hidden = false');
  });

  it('of the disks is known once they were measured, and for a quarter of an hour', async () => {
    const id = await pipeline.create(
      `services:\n  web: {image: '${IMAGE}', volumes: ['data:/data']}\nvolumes: {data: {}}\n`,
    );
    const usage = async () => (await queries.diskUsage(all, id))!;
    const limitBytes = 5_120 * MB;
    const cold = {
      serviceId: id,
      available: false,
      measuredAt: null,
      limitBytes,
      totalBytes: null,
      usedPct: null,
      volumes: [],
      containers: [],
      images: [],
      logsBytes: null,
      backupsBytes: null,
    };
    expect(await usage()).toEqual(cold);
    runtime.state.volumeBytes.set(`${id}_data`, 512 * MB);
    await pipeline.app.get(DiskLimits).check();
    expect(await usage()).toMatchObject({
      available: true,
      measuredAt: expect.any(Date),
      totalBytes: 512 * MB,
      usedPct: 10,
      volumes: [{ name: `${id}_data`, bytes: 512 * MB }],
      containers: [{ id: bed.containerOf(id).id, writableBytes: 0 }],
      images: [{ ref: expect.stringContaining('registry.example.com/acme/web'), shared: true }],
    });
    await bed.age('disk_usage', id, 901);
    expect(await usage()).toEqual({ ...cold, measuredAt: expect.any(Date) });
  });

  itWatchesHealth(() => bed);
});
