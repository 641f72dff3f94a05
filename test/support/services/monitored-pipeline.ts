import { DataSource } from 'typeorm';
import { EngineMonitor, MonitoringQueries, OrganisationScope } from '#libs/services';
import type { Uuid } from '#kernel/crypto/uuid';
import { FakeContainerRuntime } from '../docker/fakes/fake-container-runtime.js';
import { FakeContainerStats } from '../docker/fakes/fake-container-stats.js';
import { ShiftedClock } from '../fixed-clock.js';
import type { Pipeline } from './pipeline.js';
import { startPipeline } from './start-pipeline.js';

/** An image that the fake engine of a monitored pipeline can pull, and a compose file with it. */
export const IMAGE = 'registry.example.com/acme/web:1';
export const WEB = `services:\n  web: {image: '${IMAGE}'}\n`;

const NEVER = new AbortController().signal;

/** A pipeline with a fake engine whose monitoring samples on demand, and a second process with the same database. */
export class MonitoredPipeline {
  readonly monitor: EngineMonitor;
  readonly otherMonitor: EngineMonitor;
  readonly queries: MonitoringQueries;

  private constructor(
    readonly runtime: FakeContainerRuntime,
    readonly stats: FakeContainerStats,
    readonly clock: ShiftedClock,
    readonly pipeline: Pipeline,
    private readonly other: Pipeline,
  ) {
    this.monitor = pipeline.app.get(EngineMonitor);
    this.otherMonitor = other.app.get(EngineMonitor);
    this.queries = pipeline.app.get(MonitoringQueries);
  }

  static async start(): Promise<MonitoredPipeline> {
    const [runtime, clock] = [new FakeContainerRuntime(), new ShiftedClock()];
    runtime.state.publish(IMAGE, {});
    const stats = new FakeContainerStats(runtime);
    const pipeline = await startPipeline(runtime, { stats, clock });
    const other = await startPipeline(runtime, { stats, clock, database: pipeline.database });
    return new MonitoredPipeline(runtime, stats, clock, pipeline, other);
  }

  async round(by = this.monitor): Promise<readonly Uuid[]> {
    if (!(await by.hold())) throw new Error('another process holds the lease');
    // The counters of the fake use the real clock and need time to grow.
    await new Promise((resolve) => setTimeout(resolve, 25));
    return by.round(NEVER);
  }

  /** @returns the services that each sample restarted */
  async rounds(count: number): Promise<readonly (readonly Uuid[])[]> {
    const restarted = [];
    for (let look = 0; look < count; look += 1) restarted.push(await this.round());
    return restarted;
  }

  async summaryOf(id: Uuid) {
    return (await this.queries.summary(OrganisationScope.all, [id])).get(id)!;
  }

  async metricsOf(id: Uuid, range: '15m' | '1h' | '6h' | '24h' = '15m') {
    return (await this.queries.metrics(OrganisationScope.all, id, range))!;
  }

  async healthOf(id: Uuid) {
    return (await this.queries.health(OrganisationScope.all, id))!;
  }

  containerOf(id: Uuid, role = 'web') {
    const all = [...this.runtime.state.containers.values()];
    return all.find(({ spec: { owner } }) => owner.serviceId === id && owner.role === role)!;
  }

  /** The health events of the service, oldest first. */
  async healthEvents(id: Uuid): Promise<readonly object[]> {
    const statement = "select data from services.feed where type = 'service.health' and service_id = $1 order by seq";
    return (await this.sql<{ data: object }>(statement, [id])).map(({ data }) => data);
  }

  /** Makes stored samples older. */
  async age(table: 'metrics_now' | 'health' | 'disk_usage', id: Uuid, seconds: number): Promise<void> {
    await this.sql(
      `update services.${table} set stored_at = stored_at - $2 * interval '1 second' where service_id = $1`,
      [id, seconds],
    );
  }

  sql<T>(statement: string, values: unknown[] = []): Promise<T[]> {
    return this.pipeline.app.get(DataSource).query<T[]>(statement, values);
  }

  /** Stops everything, so that the next test is not affected. */
  async settle(): Promise<void> {
    this.runtime.answers = true;
    await this.otherMonitor.release();
    await this.sql("update services.services set status = 'stopped', desired_state = 'stopped'");
  }

  async close(): Promise<void> {
    await this.other.app.close();
    await this.pipeline.close();
  }
}
