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
  /** Whose containers are to stand; null for none at all. */
  readonly deploymentId: string | null;
  readonly topology: GroupTopology | null;
  readonly state: DesiredState;
  /** Start the ones that have done their work, too. */
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
  /** Roles that should stand and do not: only a deployment can make them. */
  readonly missing: readonly string[];
}

/** The name on the engine of a container that serves. */
export function servingName(serviceId: string, role: string): string {
  return `${serviceId}_${role}`;
}

/**
 * The name of one that waits for its turn, or for the verdict on its successor; unique by its deployment, whose id
 * begins with the time and ends with chance.
 */
export function waitingName(serviceId: string, role: string, deploymentId: string): string {
  return `${serviceId}_${role}_${deploymentId.slice(-8)}`;
}

/**
 * What has to be done so that the containers of one deployment stand, under their names and in the desired state, and
 * no other containers of the service do. Pure; carried out and asked again it plans nothing.
 *
 * Others are removed first, because they may hold names, ports and volumes; starting goes in start order, stopping in
 * reverse.
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
 * A worker that was frozen may make a container a second time when it wakes up. The one that serves is the one that
 * runs, or at least has the name.
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

/** Stops whatever serves and gives it a waiting name, so that a successor can take its place and it can come back. */
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
