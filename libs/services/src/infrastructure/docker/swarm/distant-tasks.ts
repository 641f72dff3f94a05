import { setTimeout as delay } from 'node:timers/promises';
import type { ContainerEvent, ContainerOwner } from '../../../application/ports/engine/container-state.js';
import type { SwarmNode, SwarmTask } from './swarm-api.js';
import { managerNode } from './swarm-node.js';
import type { SwarmServices } from './swarm-services.js';
import { endingOfTask, hasEnded, isUp } from './task-state.js';

const LOOK_EVERY_MS = 3_000;

/**
 * Events of containers on other nodes. An engine reports only its own events, so the swarm's tasks are polled. With a
 * single node, only the number of nodes is polled.
 */
export async function* distantEvents(services: SwarmServices, signal: AbortSignal): AsyncGenerator<ContainerEvent> {
  let known: ReadonlyMap<string, SwarmTask> | null = null;
  while (!signal.aborted) {
    // The stream of the engine's own events reports when the engine is unavailable.
    const tasks = await distantTasks(services, signal).catch(() => null);
    if (tasks) {
      const before = known;
      known = new Map(tasks.map((task) => [task.ID, task]));
      if (before) for (const task of tasks) yield* changesOf(task, before.get(task.ID) ?? null, services);
    }
    await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function distantTasks(services: SwarmServices, signal: AbortSignal): Promise<readonly SwarmTask[]> {
  const { connection, labels } = services;
  const here = await managerNode(connection, signal);
  const nodes = (await connection.ask(signal, (docker) => docker.listNodes())) as readonly SwarmNode[];
  if (nodes.every(({ ID }) => ID === here)) return [];
  const tasks = await services.tasks(labels.filter(null), signal);
  return tasks.filter(({ NodeID }) => NodeID !== undefined && NodeID !== here);
}

function* changesOf(task: SwarmTask, before: SwarmTask | null, { labels }: SwarmServices): Generator<ContainerEvent> {
  const owner = labels.ownerOf(task.Spec.ContainerSpec?.Labels);
  if (!owner) return;
  const wasUp = before !== null && isUp(before);
  const hadEnded = before !== null && hasEnded(before);
  if (hadEnded) return;
  const ending = endingOfTask(task);
  if (!wasUp && (isUp(task) || ending)) yield eventOf(task, owner, { change: 'started' });
  if (ending) yield eventOf(task, owner, { change: 'died', exitCode: ending.exitCode });
  const isProven = task.Status.State === 'running' && task.Spec.ContainerSpec?.Healthcheck !== undefined;
  if (isProven && before?.Status.State !== 'running')
    yield eventOf(task, owner, { change: 'health', health: 'healthy' });
}

function eventOf(
  task: SwarmTask,
  { serviceId, deploymentId }: ContainerOwner,
  what: Pick<ContainerEvent, 'change'> & Partial<ContainerEvent>,
): ContainerEvent {
  const at = new Date(task.Status.Timestamp);
  return {
    kind: 'container',
    containerId: task.ServiceID,
    serviceId,
    deploymentId,
    at,
    exitCode: null,
    health: null,
    ...what,
  };
}
