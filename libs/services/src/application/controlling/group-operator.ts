import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Clock } from '#kernel/time/clock';
import { DeployFailure } from '../../domain/deploying/deploy-failure.js';
import {
  planGroup,
  type DesiredGroup,
  type GroupStep,
  type StandingContainer,
} from '../../domain/deploying/group-plan.js';
import type { GroupMember, GroupTopology } from '../../domain/deploying/group-topology.js';
import { fulfils, judge, type ObservedContainer, type Verdict } from '../../domain/deploying/readiness.js';
import { inOrder, sideBySide } from '../deploying/in-order.js';
import { ContainerRuntime, type Operation } from '../ports/engine/container-runtime.js';
import type { HealthProbe, OwnedContainer } from '../ports/engine/container-state.js';
import { ServicesSettings } from '../settings.js';

/** The longer the gate waits, the less often it polls. This is the longest pause, as a multiple of the first. */
const SLOWEST_POLL = 4;

interface Wait {
  readonly deadline: number;
  /** The error message if the deadline passes. */
  readonly text: string;
  /** The last output of the first container waited for. */
  readonly quote: string | null;
  readonly pauseMs: number;
}

/** Container ids by role. */
export type ContainerIds = ReadonlyMap<string, string>;

/** Executes the planned steps for the containers of a service, and waits until the containers are ready. */
@Injectable()
export class GroupOperator {
  constructor(
    private readonly runtime: ContainerRuntime,
    private readonly settings: ServicesSettings,
    private readonly clock: Clock,
  ) {}

  async standing(serviceId: string, signal?: AbortSignal): Promise<readonly StandingContainer[]> {
    return (await this.runtime.listOwned(serviceId, signal)).containers.map(toStanding);
  }

  /**
   * Makes the engine match the desired group. @returns the container ids by role
   * @throws DeployFailure `container_start_failed` if containers of the group are missing; errors of the runtime
   */
  async make(desired: DesiredGroup, operation: Operation): Promise<ContainerIds> {
    const actual = await this.standing(desired.serviceId, operation.signal);
    const { steps, missing, ids } = planGroup(desired, actual);
    if (missing.length > 0 && desired.state === 'running') {
      throw new DeployFailure('container_start_failed', `Containers are missing: ${missing.join(', ')}.`);
    }
    await this.carryOut(steps, desired.topology, operation);
    const starts = steps.flatMap((step) => (step.do === 'start' ? [step.container.role] : []));
    await this.startAll(starts, desired.topology, ids, operation);
    return ids;
  }

  /** All steps but starts: stops, then removals, then renames. A container is stopped after its dependents. */
  async carryOut(steps: readonly GroupStep[], topology: GroupTopology | null, operation: Operation): Promise<void> {
    const stops = new Map(steps.flatMap((step) => (step.do === 'stop' ? [[step.container.id, step] as const] : [])));
    const dependents = dependentsIn(topology);
    const stoppedBefore = (id: string) => {
      const roles = dependents(stops.get(id)!.container.role);
      return [...stops.values()].flatMap(({ container }) => (roles.includes(container.role) ? [container.id] : []));
    };
    await inOrder([...stops.keys()], stoppedBefore, (id) => this.runtime.stop(id, stops.get(id)!.graceMs, operation));
    await sideBySide(
      steps.filter((step) => step.do === 'remove'),
      ({ container }) => this.runtime.removeContainer(container.id, operation),
    );
    for (const step of steps)
      if (step.do === 'rename') await this.runtime.rename(step.container.id, step.name, operation);
  }

  /** Starts each member as soon as its dependencies meet their conditions. */
  start(topology: GroupTopology, ids: ContainerIds, operation: Operation): Promise<void> {
    return this.startAll(
      topology.members.map(({ role }) => role),
      topology,
      ids,
      operation,
    );
  }

  private startAll(
    roles: readonly string[],
    topology: GroupTopology | null,
    ids: ContainerIds,
    operation: Operation,
  ): Promise<void> {
    return inOrder(roles, dependenciesIn(topology), async (role, givenUp) => {
      const signal = operation.signal ? AbortSignal.any([operation.signal, givenUp]) : givenUp;
      await this.awaitDependencies(role, topology, ids, { guard: operation.guard, signal });
      await this.runtime.start(ids.get(role) ?? '', operation);
    });
  }

  /**
   * The health gate: waits until every container is healthy or has completed.
   * @returns the roles that have completed @throws DeployFailure `health_gate_failed`, `timeout`
   */
  async gate(topology: GroupTopology, ids: ContainerIds, operation: Operation): Promise<ReadonlySet<string>> {
    const watch = new Watch(this.runtime, this.clock);
    const ended = new Set<string>();
    let waiting: readonly GroupMember[] = topology.members;
    const deadline = this.deadline();
    const { poll } = this.settings.times;
    for (let pauseMs = poll; ; pauseMs = Math.min(pauseMs * 1.5, poll * SLOWEST_POLL)) {
      const verdicts = await Promise.all(
        waiting.map(async (member) => {
          const seen = await watch.look(member.role, ids.get(member.role), operation.signal);
          return { member, verdict: judge(seen, this.settings.times.gate) };
        }),
      );
      for (const { member, verdict } of verdicts) {
        if (verdict.kind === 'failed') throw gateFailure(verdict);
        if (verdict.kind === 'ready' && verdict.ended) ended.add(member.role);
      }
      waiting = verdicts.filter(({ verdict }) => verdict.kind === 'waiting').map(({ member }) => member);
      if (waiting.length === 0) return ended;
      const text = `Timed out waiting for healthy containers: ${waiting.map(({ role }) => role).join(', ')}.`;
      const quote = watch.lastProbeOf(waiting[0]!.role);
      await this.pause({ deadline, text, quote, pauseMs }, operation);
    }
  }

  /** Whether any of the containers has a health check, its own or that of its image. */
  async haveHealthChecks(ids: ContainerIds, signal?: AbortSignal): Promise<boolean> {
    const found = await Promise.all([...ids.values()].map((id) => this.runtime.inspect(id, signal)));
    return found.some((details) => details !== null && details.health !== 'none');
  }

  private async awaitDependencies(
    role: string,
    topology: GroupTopology | null,
    ids: ContainerIds,
    operation: Operation,
  ): Promise<void> {
    const member = topology?.members.find((candidate) => candidate.role === role);
    for (const { role: other, condition, required } of member?.dependsOn ?? []) {
      const watch = new Watch(this.runtime, this.clock);
      const deadline = this.deadline();
      for (;;) {
        const verdict: Verdict = fulfils(condition, await watch.look(other, ids.get(other), operation.signal));
        if (verdict.kind === 'ready' || (verdict.kind === 'failed' && !required)) break;
        if (verdict.kind === 'failed') throw gateFailure(verdict);
        const text = `Timed out waiting for ${other}, required by ${role}.`;
        await this.pause({ deadline, text, quote: null, pauseMs: this.settings.times.poll }, operation);
      }
    }
  }

  private deadline(): number {
    return this.clock.now().getTime() + this.settings.times.ready;
  }

  private async pause(wait: Wait, { guard, signal }: Operation): Promise<void> {
    const { deadline, text, quote, pauseMs } = wait;
    if (this.clock.now().getTime() > deadline) throw new DeployFailure('timeout', text, { quote });
    await guard();
    // `sleep` rejects with its own AbortError; the caller needs the reason of the signal.
    await sleep(pauseMs, undefined, { signal }).catch(() => signal?.throwIfAborted());
  }
}

function dependenciesIn(topology: GroupTopology | null): (role: string) => readonly string[] {
  const members = new Map((topology?.members ?? []).map((member) => [member.role, member]));
  return (role) => (members.get(role)?.dependsOn ?? []).map((dependency) => dependency.role);
}

function dependentsIn(topology: GroupTopology | null): (role: string) => readonly string[] {
  const members = topology?.members ?? [];
  return (role) => members.filter(({ dependsOn }) => dependsOn.some((one) => one.role === role)).map((one) => one.role);
}

/** Polls containers and remembers since when each has been running. */
class Watch {
  readonly #probes = new Map<string, string | null>();
  readonly #steadySince = new Map<string, { readonly startedAt: number; readonly seenAt: number }>();

  constructor(
    private readonly runtime: ContainerRuntime,
    private readonly clock: Clock,
  ) {}

  lastProbeOf(role: string): string | null {
    return this.#probes.get(role) ?? null;
  }

  async look(role: string, id: string | undefined, signal?: AbortSignal): Promise<ObservedContainer> {
    const found = id === undefined ? null : await this.runtime.inspect(id, signal);
    if (!found) throw new DeployFailure('container_start_failed', `The container of ${role} is gone.`);
    const { lifecycle, health, restartCount, exitCode, oomKilled, startedAt } = found;
    const probeSaid = lastLineOf(found.lastProbe);
    const now = this.clock.now().getTime();
    const started = startedAt?.getTime() ?? 0;
    const before = this.#steadySince.get(role);
    const since = before?.startedAt === started ? before : { startedAt: started, seenAt: now };
    this.#steadySince.set(role, since);
    this.#probes.set(role, probeSaid);
    return { role, lifecycle, health, restartCount, exitCode, oomKilled, probeSaid, steadyMs: now - since.seenAt };
  }
}

function gateFailure({ reason, quote }: Extract<Verdict, { kind: 'failed' }>): DeployFailure {
  return new DeployFailure('health_gate_failed', `${reason}.`, { quote });
}

function lastLineOf(probe: HealthProbe | null): string | null {
  if (!probe || probe.exitCode === 0) return null;
  return probe.output.trimEnd().split('\n').at(-1)?.trim() || `the probe exited with ${probe.exitCode}`;
}

export function toStanding({ id, name, owner, lifecycle }: OwnedContainer): StandingContainer {
  const isUp = lifecycle === 'running' || lifecycle === 'restarting' || lifecycle === 'paused';
  return { id, name, deploymentId: owner.deploymentId, role: owner.role, isUp };
}

/** The containers as stored in the row of the service, in the order of the group. */
export function containerIdsOf({ members }: GroupTopology, ids: ContainerIds): readonly string[] {
  return members.flatMap(({ role }) => ids.get(role) ?? []);
}
