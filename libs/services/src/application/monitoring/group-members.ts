import { wantedState, type ServiceState } from '../../domain/service-state.js';
import { groupHealth, type HealthVerdict } from '../../domain/monitoring/group-health.js';
import type { MemberUsage } from '../../domain/monitoring/group-usage.js';
import type { Counters } from '../../domain/monitoring/container-usage.js';
import type { ServiceHealth } from '../ports/monitoring/monitoring-queries.js';
import type { ContainerDetails } from '../ports/engine/container-state.js';
import type { SeenContainer } from './engine-look.js';

/** The state of a container in the previous sample. */
export interface KnownContainer {
  readonly counters: Counters | null;
  readonly restartCount: number;
}

/**
 * The containers that count as the service. While a deployment replaces them there are two groups; the running one
 * counts.
 */
export function membersOf(service: ServiceState, seen: readonly SeenContainer[]): readonly SeenContainer[] {
  const deployments = new Set(seen.map(({ details }) => details.owner.deploymentId));
  if (deployments.size < 2) return seen;
  const current = service.currentDeploymentId ?? '';
  const others = [...deployments].filter((id) => id !== current);
  const groups = [current, ...others].map((id) => seen.filter(({ details }) => details.owner.deploymentId === id));
  return groups.find((group) => group.some(isUp)) ?? groups.find((group) => group.length > 0)!;
}

/** The health of the group. `none` for a service that should be stopped. */
export function healthOfGroup(
  service: ServiceState,
  members: readonly SeenContainer[],
  known: ReadonlyMap<string, KnownContainer>,
): HealthVerdict {
  if (wantedState(service) === 'stopped') return 'none';
  return groupHealth(
    members.map(({ details }) => {
      const { id, lifecycle, health, exitCode, restartCount } = details;
      const restarted = restartCount > (known.get(id)?.restartCount ?? restartCount);
      return { lifecycle, health, exitCode, restarted };
    }),
  );
}

export function countersOf({ sample, seenMs }: SeenContainer): Counters | null {
  if (!sample) return null;
  const { at, cpuNanos, network } = sample;
  return { at, seenMs, cpuNanos, rxBytes: network.rxBytes, txBytes: network.txBytes };
}

/** All running containers, including those outside the group: they use the resources of the service too. */
export function usersOf(
  seen: readonly SeenContainer[],
  known: ReadonlyMap<string, KnownContainer>,
): readonly MemberUsage[] {
  return seen.flatMap((container): MemberUsage[] => {
    const { details, sample } = container;
    const now = countersOf(container);
    if (!sample || !now) return [];
    return [
      {
        id: details.id,
        name: details.owner.role,
        before: known.get(details.id)?.counters ?? null,
        now,
        memoryBytes: sample.memory.usedBytes,
        pids: sample.pids,
        blockReadBytes: sample.block.readBytes,
        blockWriteBytes: sample.block.writeBytes,
      },
    ];
  });
}

export function healthRows(members: readonly SeenContainer[]): ServiceHealth['containers'] {
  return members.map(({ details }) => {
    const { id, owner, lifecycle, health, failingStreak, restartCount, exitCode, oomKilled, startedAt } = details;
    return {
      id,
      name: owner.role,
      state: lifecycle,
      health,
      failingStreak,
      restartCount,
      exitCode,
      oomKilled,
      startedAt,
      lastProbe: probeOf(details),
    };
  });
}

const MAX_OUTPUT_LENGTH = 4_096;

/** Output of the container, without control characters (except tabs and line ends) and invalid text. */
function probeOf({ lastProbe }: ContainerDetails): ServiceHealth['containers'][number]['lastProbe'] {
  if (!lastProbe) return null;
  const { at, exitCode, output } = lastProbe;
  const plain = output.replace(/(?![\t\n])\p{Cc}/gu, '').slice(0, MAX_OUTPUT_LENGTH);
  return { at, exitCode, output: plain.toWellFormed() };
}

function isUp({ details: { lifecycle } }: SeenContainer): boolean {
  return lifecycle === 'running' || lifecycle === 'restarting' || lifecycle === 'paused';
}
