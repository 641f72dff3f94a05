import type { ContainerInspectInfo } from 'dockerode';
import type {
  ContainerDetails,
  ContainerHealth,
  ContainerLifecycle,
  OwnedContainer,
} from '../../../application/ports/engine/container-state.js';
import { toDetails } from '../container-details.js';
import type { SwarmService, SwarmTask, TaskState } from './swarm-api.js';
import { endingOf, type Ending } from './swarm-labels.js';
import { EVERY_ADDRESS } from './to-service-spec.js';

const ENDED: readonly TaskState[] = ['complete', 'shutdown', 'failed', 'rejected', 'orphaned', 'remove'];
const ENDED_BY_ITSELF: readonly TaskState[] = ['complete', 'failed', 'rejected'];
const WANTED: readonly TaskState[] = ['new', 'pending', 'assigned', 'accepted', 'preparing', 'ready', 'running'];
const UNHEALTHY = /unhealthy container/;

/** The tasks of one start of a service, newest first. */
export interface Run {
  readonly tasks: readonly SwarmTask[];
  /** The task that represents the container; null when the swarm has not created one yet. */
  readonly task: SwarmTask | null;
}

export function hasEnded(task: SwarmTask): boolean {
  return ENDED.includes(task.Status.State);
}

/** Whether the process has started. A task with a health check is `starting` until it is healthy. */
export function isUp(task: SwarmTask): boolean {
  return task.Status.State === 'running' || task.Status.State === 'starting';
}

export function runOf(service: SwarmService, all: readonly SwarmTask[]): Run {
  const run = service.Spec.TaskTemplate.ForceUpdate ?? 0;
  const tasks = all
    .filter(({ ServiceID, Spec }) => ServiceID === service.ID && (Spec.ForceUpdate ?? 0) === run)
    .sort((one, other) => (one.CreatedAt < other.CreatedAt ? 1 : -1));
  // While the swarm replaces a task, the old one still works beside the new one.
  const working = tasks.find((task) => isUp(task) && WANTED.includes(task.DesiredState));
  const wanted = tasks.find((task) => WANTED.includes(task.DesiredState));
  return { tasks, task: working ?? wanted ?? tasks[0] ?? null };
}

export function lifecycleOfRun(service: SwarmService, { task }: Run): ContainerLifecycle {
  const isWanted = service.Spec.Mode.Replicated.Replicas > 0;
  if (!task) {
    if (isWanted) return 'restarting';
    return endingOf(service.Spec.Labels) === null ? 'created' : 'exited';
  }
  if (isUp(task)) return 'running';
  if (!hasEnded(task)) return 'restarting';
  // The swarm has not decided yet whether to replace the task.
  if (isWanted && WANTED.includes(task.DesiredState)) return 'running';
  return UNHEALTHY.test(task.Status.Err ?? '') ? 'dead' : 'exited';
}

/** Details of a task's container on the connected node. They are not available for containers on other nodes. */
export interface NearContainer {
  readonly found: ContainerInspectInfo;
  readonly hostAddress: string | null;
}

/** @param nearby null when the container is on another node: health checks and the host address are unknown then */
export function detailsOfRun(
  service: SwarmService,
  owned: Omit<OwnedContainer, 'lifecycle'>,
  run: Run,
  nearby: NearContainer | null,
): ContainerDetails {
  const lifecycle = lifecycleOfRun(service, run);
  const { task } = run;
  const isOver = lifecycle === 'exited' || lifecycle === 'dead';
  const ending = isOver ? (endingOf(service.Spec.Labels) ?? endingOfTask(task)) : null;
  const near = nearby ? toDetails(nearby.found, owned.owner) : null;
  return {
    ...owned,
    lifecycle,
    health: healthOfRun(run, near?.health ?? null, isOver),
    failingStreak: near?.failingStreak ?? 0,
    lastProbe: near?.lastProbe ?? null,
    restartCount: run.tasks.filter((one) => one !== task && ENDED_BY_ITSELF.includes(one.Status.State)).length,
    exitCode: ending?.exitCode ?? null,
    oomKilled: near?.oomKilled ?? false,
    startedAt: near?.startedAt ?? startedAt(task),
    finishedAt: isOver ? (near?.finishedAt ?? ending?.finishedAt ?? null) : null,
    error: task?.Status.Err || null,
    publishedPorts: lifecycle === 'running' ? publishedPorts(service) : [],
    networks: attachedNetworks(task),
    hostAddress: nearby?.hostAddress ?? null,
  };
}

/** How a task ended; null when it is running or never ran. */
export function endingOfTask(task: SwarmTask | null): Ending | null {
  if (!task || !hasEnded(task)) return null;
  const exitCode = task.Status.ContainerStatus?.ExitCode;
  return exitCode === undefined ? null : { exitCode, finishedAt: new Date(task.Status.Timestamp) };
}

/** After an unhealthy task has been replaced, the container stays unhealthy until the new task is running. */
function healthOfRun({ tasks, task }: Run, near: ContainerHealth | null, isOver: boolean): ContainerHealth {
  const wasSick = tasks.some((one) => one !== task && UNHEALTHY.test(one.Status.Err ?? ''));
  if (UNHEALTHY.test(task?.Status.Err ?? '') || (wasSick && task?.Status.State !== 'running')) return 'unhealthy';
  if (near !== null || task === null || isOver) return near ?? 'none';
  const hasCheck = task.Spec.ContainerSpec?.Healthcheck !== undefined;
  if (task.Status.State === 'starting') return 'starting';
  return hasCheck && task.Status.State === 'running' ? 'healthy' : 'none';
}

function startedAt(task: SwarmTask | null): Date | null {
  return task && isUp(task) ? new Date(task.Status.Timestamp) : null;
}

function publishedPorts(service: SwarmService): ContainerDetails['publishedPorts'] {
  return (service.Spec.EndpointSpec.Ports ?? []).map(({ Protocol, TargetPort, PublishedPort }) => ({
    containerPort: TargetPort,
    protocol: Protocol === 'udp' ? 'udp' : 'tcp',
    hostIp: EVERY_ADDRESS,
    hostPort: PublishedPort,
  }));
}

function attachedNetworks(task: SwarmTask | null): ContainerDetails['networks'] {
  const isRunning = task !== null && isUp(task);
  return (task?.NetworksAttachments ?? []).map(({ Network, Addresses }) => ({
    network: Network.Spec.Name,
    ipAddress: isRunning ? (Addresses?.[0]?.split('/')[0] ?? null) : null,
  }));
}
