import { setTimeout as delay } from 'node:timers/promises';
import type { ContainerInspectInfo } from 'dockerode';
import type { Operation } from '../../../application/ports/engine/container-runtime.js';
import type { EngineConnection } from '../engine/engine-connection.js';
import { EngineRefusal, isRefusal, unexpected } from '../docker-errors.js';
import type { ServiceSpec, SwarmService, SwarmTask } from './swarm-api.js';
import { gone, startFailureOfTask } from './swarm-errors.js';
import { UNSEEN, withEnding, type Ending } from './swarm-labels.js';
import type { SwarmServices } from './swarm-services.js';
import type { SwarmSecrets } from './swarm-secrets.js';
import { endingOfTask, hasEnded, isUp, type Run } from './task-state.js';
import { until, type Wait } from './waiting.js';

/** Preparing a task can take long, because the node may have to pull the image. */
const START_LIMIT_MS = 300_000;
/** How long the scheduler may report that no node is suitable: a port or memory may become free at any moment. */
const NO_NODE_MS = 3_000;
const DISTANT_START_MS = 2_000;
const DEFAULT_GRACE_MS = 10_000;
const END_LIMIT_MS = 60_000;
/** If containers of ended tasks still exist after this time, the swarm does not remove them any more. */
const FORGOTTEN_MS = 3_000;
const SEEN_WITHIN_MS = 2_000;
const POLL_MS = 25;
/** Polls often, because the swarm removes a task, and with it its exit code, soon after its end. */
const SEEN_EVERY_MS = 40;

/** Starts, stops and removes services. A started service has one replica, a stopped one has none. */
export class SwarmPower {
  constructor(
    private readonly connection: EngineConnection,
    private readonly services: SwarmServices,
    private readonly secrets: SwarmSecrets,
  ) {}

  /** Resolves when the process has started. On failure the service is stopped, because the swarm would keep trying. */
  async start(id: string, operation: Operation): Promise<void> {
    const { signal } = operation;
    let service = await this.services.find(id, signal);
    if (!service) throw gone(id);
    const standing = await this.services.runOf(service, signal);
    const isUnderWay = isWanted(service) && standing.task !== null && !hasEnded(standing.task);
    if (!isUnderWay) {
      if (isWanted(service)) await this.stop(id, 0, operation);
      service = await this.#update(id, (spec) => started(spec), operation);
      if (!service) throw gone(id);
    }
    const failure = await this.#begun(service, operation);
    if (failure === null) return;
    await this.stop(id, 0, operation);
    throw startFailureOfTask(failure);
  }

  /** @returns false when it had not been started */
  async stop(id: string, graceMs: number, operation: Operation): Promise<boolean> {
    const { signal } = operation;
    const service = await this.services.find(id, signal);
    if (!service || !isWanted(service)) {
      await operation.guard();
      await this.#untilEnded(id, graceMs, signal);
      return false;
    }
    const run = await this.services.runOf(service, signal);
    // A container on this node can be stopped with exactly the requested grace period.
    const ending = (await this.#stopHere(run, graceMs, operation))
      ? await this.#endingOf(service, operation)
      : endingOfTask(run.task);
    await this.#update(id, (spec) => stopped(spec, ending), operation);
    const wasUp = run.task !== null && isUp(run.task);
    const last = (await this.#untilEnded(id, graceMs, signal)) ?? (wasUp ? UNSEEN : null);
    if (!ending && last) await this.#update(id, (spec) => stopped(spec, last), operation);
    return true;
  }

  /** Also removes its files. The order makes it possible to repeat the call after a failure. */
  async remove(id: string, operation: Operation): Promise<void> {
    const { signal } = operation;
    const service = await this.services.find(id, signal);
    if (service) {
      if (isWanted(service)) await this.stop(id, 0, operation);
      const { Secrets = [] } = service.Spec.TaskTemplate.ContainerSpec;
      if (Secrets.length > 0) await this.#update(id, withoutSecrets, operation);
      await this.secrets.discard(id, [], operation);
      try {
        await this.connection.change(operation, (docker) => docker.getService(id).remove());
      } catch (error) {
        if (!isRefusal(error, 404)) throw unexpected(error);
      }
    }
    await this.#untilGone(id, operation);
    const owner = this.services.labels.ownerOf(service?.Spec.Labels);
    if (owner) await this.services.discardLeftBehind(owner.serviceId, operation);
  }

  /** Waits for the process to start. @returns null when it has, otherwise the reason why it has not */
  async #begun(service: SwarmService, { signal }: Operation): Promise<string | null> {
    let noNodeSince: number | null = null;
    let distantSince: number | null = null;
    const outcome = await until(
      async () => {
        const { tasks } = await this.services.runOf(service, signal);
        const first = tasks.at(-1);
        if (!first) return (await this.services.find(service.ID, signal)) ? null : { failure: 'it is gone' };
        const { Err = '', ContainerStatus } = first.Status;
        if (hasEnded(first)) return { failure: neverBegan(first) ? Err : null };
        if (first.Status.State === 'running') return { failure: null };
        if (first.Status.State === 'starting' && ContainerStatus?.ContainerID) {
          const found = await this.services.containerOf({ tasks, task: first }, signal);
          if (found) return found.State.Running ? { failure: null } : null;
          // A task on another node stays `starting` until its health check succeeds, so its process counts as started.
          distantSince ??= performance.now();
          return performance.now() - distantSince > DISTANT_START_MS ? { failure: null } : null;
        }
        noNodeSince = /no suitable node/.test(Err) ? (noNodeSince ?? performance.now()) : null;
        return noNodeSince !== null && performance.now() - noNodeSince > NO_NODE_MS ? { failure: Err } : null;
      },
      { limitMs: START_LIMIT_MS, text: `the container ${service.ID} did not start`, signal },
    );
    return outcome.failure;
  }

  /** @returns false when the container is not on this node */
  async #stopHere({ task }: Run, graceMs: number, operation: Operation): Promise<boolean> {
    const containerId = task?.Status.ContainerStatus?.ContainerID;
    if (!task || !containerId || !isUp(task)) return false;
    const t = Math.ceil(graceMs / 1000);
    try {
      await this.connection.change(operation, (docker) => docker.getContainer(containerId).stop({ t }), t * 1000);
    } catch (error) {
      if (isRefusal(error, 404)) return false;
      if (!isRefusal(error, 304)) throw unexpected(error);
    }
    return true;
  }

  /**
   * How a container that was stopped on this node has ended. Waits a while for the swarm to notice the end: if the
   * swarm ended the task itself, it would first detach the task from its networks, which takes seconds.
   */
  async #endingOf(service: SwarmService, { signal }: Operation): Promise<Ending | null> {
    for (const deadline = performance.now() + SEEN_WITHIN_MS; ; await delay(POLL_MS)) {
      const run = await this.services.runOf(service, signal);
      const found = await this.services.containerOf(run, signal);
      const ending = endingOfTask(run.task) ?? (found ? endingOfContainer(found) : null);
      const isSeen = run.task === null || !isUp(run.task);
      if (isSeen || performance.now() > deadline) return ending;
    }
  }

  /** Waits until all tasks have ended. @returns how the last one ended; null when that was not seen */
  #untilEnded(id: string, graceMs: number, signal?: AbortSignal): Promise<Ending | null> {
    let ending: Ending | null = null;
    return until(
      async () => {
        const tasks = await this.services.tasksOf(id, signal);
        for (const task of tasks) ending = endingOfTask(task) ?? ending;
        return tasks.every(hasEnded) ? { ending } : null;
      },
      {
        ...this.#waitForEnd(id, signal),
        limitMs: END_LIMIT_MS + Math.max(graceMs, DEFAULT_GRACE_MS),
        slowestMs: SEEN_EVERY_MS,
      },
    ).then((ended) => ended.ending);
  }

  /** Waits until the containers are removed, also those of tasks that have ended, because they keep volumes in use. */
  async #untilGone(id: string, operation: Operation): Promise<void> {
    const { signal } = operation;
    const began = performance.now();
    await until(
      async () => {
        if ((await this.services.tasksOf(id, signal)).some((task) => !hasEnded(task))) return null;
        const left = await this.services.containersHere(id, signal);
        const isForgotten = performance.now() - began > FORGOTTEN_MS;
        if (isForgotten) for (const containerId of left) await this.services.discard(containerId, operation);
        return left.length === 0 ? true : null;
      },
      this.#waitForEnd(id, signal),
    );
  }

  #waitForEnd(id: string, signal?: AbortSignal): Wait {
    return { limitMs: END_LIMIT_MS, text: `the container ${id} did not end; its node may be away`, signal };
  }

  async #update(
    id: string,
    change: (spec: ServiceSpec) => ServiceSpec,
    operation: Operation,
  ): Promise<SwarmService | null> {
    try {
      return await this.services.update(id, change, operation);
    } catch (error) {
      throw error instanceof EngineRefusal ? unexpected(error) : error;
    }
  }
}

function isWanted({ Spec }: SwarmService): boolean {
  return Spec.Mode.Replicated.Replicas > 0;
}

function started(spec: ServiceSpec): ServiceSpec {
  const ForceUpdate = (spec.TaskTemplate.ForceUpdate ?? 0) + 1;
  return {
    ...spec,
    Labels: withEnding(spec.Labels, null),
    Mode: { Replicated: { Replicas: 1 } },
    TaskTemplate: { ...spec.TaskTemplate, ForceUpdate },
  };
}

function stopped(spec: ServiceSpec, ending: Ending | null): ServiceSpec {
  return { ...spec, Labels: withEnding(spec.Labels, ending), Mode: { Replicated: { Replicas: 0 } } };
}

function withoutSecrets(spec: ServiceSpec): ServiceSpec {
  const ContainerSpec = { ...spec.TaskTemplate.ContainerSpec, Secrets: [] };
  return { ...spec, TaskTemplate: { ...spec.TaskTemplate, ContainerSpec } };
}

/** Whether the process of a task never started, as opposed to one that ran and ended. */
function neverBegan({ Status }: SwarmTask): boolean {
  return Status.State === 'rejected' || /^starting container failed/.test(Status.Err ?? '');
}

function endingOfContainer({ State: state }: ContainerInspectInfo): Ending | null {
  return state.Running ? null : { exitCode: state.ExitCode, finishedAt: new Date(state.FinishedAt) };
}
