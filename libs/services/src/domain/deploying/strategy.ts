import type { PortMapping, ServicePlan } from '../service-plan.js';
import type { DeploymentStrategy } from './deploy-plan.js';

/** The volumes and ports of the containers that serve now. */
export interface HeldResources {
  /** Names on the engine. */
  readonly volumes: readonly string[];
  readonly ports: readonly PortMapping[];
}

/**
 * New containers start beside the old ones unless both cannot run at the same time: because they need a host port that
 * an old one publishes, or a volume of an old one that is not declared as shared (`x-shared`).
 * @param held null when nothing serves
 */
export function strategyFor(plan: ServicePlan, held: HeldResources | null): DeploymentStrategy {
  if (held === null) return 'start-first';
  const ports = plan.containers.flatMap((container) => container.ports);
  const isPortHeld = ports.some((port) => held.ports.some((old) => collides(port, old)));
  const isVolumeHeld = plan.volumes.some(({ name, shared }) => !shared && held.volumes.includes(name));
  return isPortHeld || isVolumeHeld ? 'stop-first' : 'start-first';
}

function collides(one: PortMapping, other: PortMapping): boolean {
  return one.hostIp === other.hostIp && one.hostPort === other.hostPort && one.protocol === other.protocol;
}
