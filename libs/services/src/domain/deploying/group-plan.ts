import type { GroupTopology } from './group-topology.js';
import type { DesiredState } from '../service-state.js';

/** A container of the service as the engine shows it. */
export interface StandingContainer {
  readonly id: string;
  readonly name: string;
  readonly deploymentId: string;
  readonly role: string;
  readonly isUp: boolean;
}

export interface DesiredGroup {
  readonly serviceId: string;
  /** The deployment whose containers should exist. Null if there should be none. */
  readonly deploymentId: string | null;
  readonly topology: GroupTopology | null;
  readonly state: DesiredState;
  /** Also start one-shot containers that have completed. */
  readonly repeatOneShots: boolean;
}

export type GroupStep =
  | { readonly do: 'stop'; readonly container: StandingContainer; readonly graceMs: number }
  | { readonly do: 'remove'; readonly container: StandingContainer }
  | { readonly do: 'rename'; readonly container: StandingContainer; readonly name: string }
  | { readonly do: 'start'; readonly container: StandingContainer };

export interface GroupPlan {
  readonly steps: readonly GroupStep[];
  /** The containers that the group consists of, by role. */
  readonly ids: ReadonlyMap<string, string>;
  /** Roles without a container. Only a deployment can create them. */
  readonly missing: readonly string[];
}

/** The name that a serving container has on the engine. */
export function servingName(serviceId: string, role: string): string {
  return `${serviceId}_${role}`;
}

/**
 * The name of a container that does not serve yet, or that is kept until its successor has passed the health gate. The
 * last characters of the deployment's id make it unique: a UUIDv7 begins with the time and ends with random bits.
 */
export function waitingName(serviceId: string, role: string, deploymentId: string): string {
  return `${serviceId}_${role}_${deploymentId.slice(-8)}`;
}

/**
 * Plans the steps after which the containers of one deployment have their serving names and the desired state, and no
 * other containers of the service exist. Once the steps are carried out, the next plan is empty.
 *
 * Other containers are removed before anything is renamed or started, because they may hold names, ports and volumes.
 * Containers start in start order and stop in reverse order.
 */
export function planGroup(desired: DesiredGroup, actual: readonly StandingContainer[]): GroupPlan {
  const members = desired.deploymentId === null ? [] : (desired.topology?.members ?? []);
  const own = new Map<string, StandingContainer>();
  for (const member of members) {
    const found = best(desired, member.role, actual);
    if (found) own.set(member.role, found);
  }
  const kept = new Set([...own.values()].map(({ id }) => id));
  const others = actual.filter(({ id }) => !kept.has(id));
  const standing = members.flatMap((member) => {
    const container = own.get(member.role);
    return container ? [{ member, container }] : [];
  });
  const removals = others.map((container): GroupStep => ({ do: 'remove', container }));
  const stops =
    desired.state === 'running'
      ? []
      : standing
          .filter(({ container }) => container.isUp)
          .reverse()
          .map(({ member, container }): GroupStep => ({ do: 'stop', container, graceMs: member.stopGraceMs }));
  const renames = standing.flatMap(({ member, container }): GroupStep[] => {
    const name = servingName(desired.serviceId, member.role);
    return container.name === name ? [] : [{ do: 'rename', container, name }];
  });
  const starts =
    desired.state === 'stopped'
      ? []
      : standing
          .filter(({ member, container }) => !container.isUp && (desired.repeatOneShots || !member.oneShot))
          .map(({ container }): GroupStep => ({ do: 'start', container }));
  return {
    steps: [...stops, ...removals, ...renames, ...starts],
    ids: new Map([...own].map(([role, { id }]) => [role, id])),
    missing: members.filter(({ role }) => !own.has(role)).map(({ role }) => role),
  };
}

/**
 * A worker that was frozen may create a container twice when it wakes up. The one that runs is kept, or else the one
 * with the serving name.
 */
function best(
  { serviceId, deploymentId }: DesiredGroup,
  role: string,
  actual: readonly StandingContainer[],
): StandingContainer | undefined {
  const same = actual.filter((container) => container.deploymentId === deploymentId && container.role === role);
  const name = servingName(serviceId, role);
  return same.find(({ isUp }) => isUp) ?? same.find((container) => container.name === name) ?? same[0];
}

/** Stops and renames the serving containers, so that the successor gets their names and they can be restored. */
export function planRetirement(
  serviceId: string,
  successorId: string,
  topology: GroupTopology | null,
  actual: readonly StandingContainer[],
): readonly GroupStep[] {
  const order = (topology?.members ?? []).map(({ role }) => role);
  const old = actual
    .filter(({ deploymentId }) => deploymentId !== successorId)
    .sort((one, other) => order.indexOf(other.role) - order.indexOf(one.role));
  return old.flatMap((container): GroupStep[] => {
    const graceMs = topology?.members.find(({ role }) => role === container.role)?.stopGraceMs ?? 10_000;
    const name = waitingName(serviceId, container.role, container.deploymentId);
    return [
      ...(container.isUp ? [{ do: 'stop', container, graceMs } as const] : []),
      ...(container.name === name ? [] : [{ do: 'rename', container, name } as const]),
    ];
  });
}
