import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { groupUsage } from '../../domain/monitoring/group-usage.js';
import { percentOf } from '../../domain/monitoring/container-usage.js';
import type { HealthVerdict } from '../../domain/monitoring/group-health.js';
import { afterAttempt, afterLook, isDue, NO_RECOVERY, type Recovery } from '../../domain/monitoring/recovery.js';
import { recent, withSample, type SparkPoint } from '../../domain/monitoring/spark.js';
import type { ServiceState } from '../../domain/service-state.js';
import {
  CollectorReplaced,
  MonitoringStore,
  type HealthRecord,
  type Round,
  type UsageRecord,
} from '../ports/monitoring/monitoring-store.js';
import { ServiceFeed, type FeedEvent } from '../ports/realtime/service-feed.js';
import { ServiceRecords } from '../service-records.js';
import { EngineLook, type SeenContainer, type SeenGroup } from './engine-look.js';
import { countersOf, healthOfGroup, healthRows, membersOf, usersOf, type KnownContainer } from './group-members.js';
import { MonitoringSettings } from './monitoring-settings.js';
import { UnhealthyServices } from './unhealthy-services.js';

/** State kept between two samples. */
interface Memory {
  readonly spark: readonly SparkPoint[];
  readonly status: HealthVerdict | null;
  readonly recovery: Recovery;
  readonly containers: ReadonlyMap<string, KnownContainer>;
}

const NOTHING: Memory = { spark: [], status: null, recovery: NO_RECOVERY, containers: new Map() };
const LEASE_MS = 8_000;
const HISTORY_MS = 20 * 60_000;

/**
 * Samples usage and health of all services. Only one process does so at a time. The results are stored, so no request
 * waits for the engine.
 */
@Injectable()
export class EngineMonitor {
  private readonly holder: Uuid;
  private memory: Map<Uuid, Memory> | null = null;
  private holds = false;

  constructor(
    private readonly records: ServiceRecords,
    private readonly store: MonitoringStore,
    private readonly feed: ServiceFeed,
    private readonly look: EngineLook,
    private readonly unhealthy: UnhealthyServices,
    private readonly settings: MonitoringSettings,
  ) {
    this.holder = records.randomness.uuid();
  }

  /** Call this every two seconds. @returns whether this process holds the lease and samples */
  async hold(): Promise<boolean> {
    try {
      this.holds = await this.store.hold(this.holder, LEASE_MS);
    } catch (error) {
      this.holds = false;
      throw error;
    } finally {
      if (!this.holds) this.memory = null;
    }
    return this.holds;
  }

  /** Releases the lease, so that another process can take over. */
  async release(): Promise<void> {
    if (this.holds) await this.store.release(this.holder);
    this.holds = false;
  }

  /** A ping between two samples, to notice quickly when the engine is down. @throws if it does not respond */
  async knock(signal: AbortSignal): Promise<void> {
    await this.orSilent(signal, () => this.look.knock(signal));
  }

  /**
   * Takes one sample. @returns the services that are restarted because of it
   * @throws EngineUnavailable; CollectorReplaced
   */
  async round(signal: AbortSignal): Promise<readonly Uuid[]> {
    const memory = (this.memory ??= await this.recalled());
    const services = await this.records.services.all();
    const busy = await this.records.deployments.busyServices();
    const groups = await this.orSilent(signal, () => this.look.take(signal));
    const [at, nowMs] = [this.records.clock.now(), performance.now()];
    const next = new Map<Uuid, Memory>();
    const round = { at, usages: [] as UsageRecord[], healths: [] as HealthRecord[] };
    const events: FeedEvent[] = [];
    for (const service of services) {
      const before = memory.get(service.id) ?? NOTHING;
      const group = groups.get(service.id) ?? { containers: [], complete: true, measured: true };
      const usage = this.usageOf(service, group, before, nowMs);
      const health = this.healthOf(service, group, before, { at, idle: !busy.has(service.id) });
      if (usage) round.usages.push(usage.record);
      if (health) round.healths.push(health);
      if (health && health.status !== before.status) events.push(changed(service, health.status, before.status, at));
      next.set(service.id, {
        spark: usage?.spark ?? recent(before.spark, nowMs),
        status: health?.status ?? before.status,
        recovery: health?.recovery ?? before.recovery,
        containers: remembered(group, before),
      });
    }
    await this.keep(round, events);
    this.memory = next;
    return this.recover(next, round);
  }

  /** Deletes old rows that no response shows. Call this now and then. */
  async clear(): Promise<void> {
    await this.store.clear(this.records.clock.now(), Math.ceil(HISTORY_MS / this.settings.intervalMs));
  }

  private async recalled(): Promise<Map<Uuid, Memory>> {
    const nowMs = performance.now();
    const known = await this.store.recall();
    return new Map(
      [...known].map(([id, { spark, status, recovery }]) => {
        const points = spark.map(({ ageMs, ...point }) => ({ ...point, startedMs: nowMs - ageMs }));
        return [id, { ...NOTHING, spark: recent(points, nowMs), status, recovery }];
      }),
    );
  }

  /** Null if a container could not be measured or was never measured before. */
  private usageOf(service: ServiceState, { containers, measured }: SeenGroup, before: Memory, nowMs: number) {
    if (!measured || containers.length === 0) return null;
    const usage = groupUsage(usersOf(containers, before.containers), service.resourceLimits);
    if (!usage) return null;
    const spark = withSample(before.spark, nowMs, usage);
    const aged = spark.map(({ startedMs, samples, cpuPct, ramPct }) => ({
      ageMs: nowMs - startedMs,
      samples,
      cpuPct: percentOf(cpuPct, 100),
      ramPct: percentOf(ramPct, 100),
    }));
    return { spark, record: { ...usage, serviceId: service.id, spark: aged } };
  }

  /** Null if the engine did not report one of the containers. */
  private healthOf(
    service: ServiceState,
    { containers, complete }: SeenGroup,
    before: Memory,
    { at, idle }: { readonly at: Date; readonly idle: boolean },
  ): HealthRecord | null {
    if (!complete) return null;
    const members = membersOf(service, containers);
    const status = healthOfGroup(service, members, before.containers);
    const counts = idle && service.status === 'running' && !service.locked;
    const recovery = afterLook(before.recovery, status, counts, at);
    return { serviceId: service.id, status, containers: healthRows(members), recovery };
  }

  private async keep(round: Round, events: readonly FeedEvent[]): Promise<void> {
    try {
      await this.records.transactions.run(async () => {
        await this.store.save(this.holder, round);
        await this.feed.append(events);
      });
    } catch (error) {
      // Another process sampled before: read what it stored.
      if (error instanceof CollectorReplaced) this.memory = null;
      throw error;
    }
  }

  private async recover(memory: Map<Uuid, Memory>, { healths, at }: Round): Promise<readonly Uuid[]> {
    if (!this.settings.autoRecovery) return [];
    const restarted: Uuid[] = [];
    for (const { serviceId, recovery } of healths) {
      if (!isDue(recovery, at) || !(await this.unhealthy.restart(serviceId, recovery.attempts + 1))) continue;
      const attempted = afterAttempt(recovery, at);
      memory.set(serviceId, { ...memory.get(serviceId)!, recovery: attempted });
      await this.store.saveRecovery(serviceId, attempted);
      restarted.push(serviceId);
    }
    return restarted;
  }

  private async orSilent<T>(signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      signal.throwIfAborted();
      await this.store.markSilent(this.holder);
      throw error;
    }
  }
}

/** Keeps the last counters of stopped containers, since they may run again. */
function remembered({ containers, complete }: SeenGroup, before: Memory): ReadonlyMap<string, KnownContainer> {
  const seen = containers.map((container: SeenContainer): [string, KnownContainer] => {
    const { id, restartCount } = container.details;
    return [id, { counters: countersOf(container) ?? before.containers.get(id)?.counters ?? null, restartCount }];
  });
  return new Map([...(complete ? [] : before.containers), ...seen]);
}

function changed(service: ServiceState, status: HealthVerdict, previous: HealthVerdict | null, at: Date): FeedEvent {
  const { id: serviceId, customerId } = service;
  const data = { serviceId, status, previous };
  return { type: 'service.health', serviceId, customerId, deploymentId: null, data, at };
}
