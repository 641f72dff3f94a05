import { planGroup, type StandingContainer } from './group-plan.js';
import type { GroupTopology } from './group-topology.js';
import { wantedState, type ServiceState } from '../service-state.js';

/** The resources of one service on the engine. */
export interface StandingGroup {
  readonly containers: readonly StandingContainer[];
  /** Networks and volumes. */
  readonly resources: ReadonlySet<string>;
}

export interface Drift {
  /** One text per difference, for the log and for staff. */
  readonly findings: readonly string[];
  /** Containers that should run but do not: they exited, or somebody stopped them. */
  readonly down: readonly string[];
}

/** Compares the wanted with the actual state of a service that has no operation in progress. */
export function driftOf(service: ServiceState, topology: GroupTopology | null, standing: StandingGroup): Drift {
  const state = wantedState(service);
  const group = { serviceId: service.id, deploymentId: service.currentDeploymentId, topology };
  const { steps, missing } = planGroup({ ...group, state, repeatOneShots: false }, standing.containers);
  const lost = [...(topology?.networks ?? []), ...(topology?.volumes ?? [])].filter(
    (name) => !standing.resources.has(name),
  );
  const down = steps.flatMap((step) => (step.do === 'start' ? [step.container.role] : []));
  // A stopped service needs neither containers nor networks. Starting it creates them again.
  const gone = state === 'running' ? [...missing.map((role) => `container ${role} is gone`), ...lost.map(isGone)] : [];
  return { findings: [...gone, ...steps.map(({ do: what, container }) => FINDING[what](container.role))], down };
}

const isGone = (name: string): string => `${name} is gone`;

const FINDING: Readonly<Record<'start' | 'stop' | 'remove' | 'rename', (role: string) => string>> = {
  start: (role) => `container ${role} does not run`,
  stop: (role) => `container ${role} runs`,
  remove: (role) => `a container ${role} is left over`,
  rename: (role) => `container ${role} has another name`,
};
