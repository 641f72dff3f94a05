import { Invalid } from '#kernel/errors';
import type { ServicePlan } from '../service-plan.js';
import type { DomainTarget } from './service-domain.js';

/** The requested target of a domain. Null if the request does not say. */
export interface AskedTarget {
  readonly targetService: string | null;
  readonly targetPort: number | null;
}

/** A container that a domain could point to. */
export interface PossibleTarget {
  readonly name: string;
  /** TCP ports that the compose file publishes or exposes. */
  readonly ports: readonly number[];
}

export function possibleTargets({ containers }: ServicePlan): readonly PossibleTarget[] {
  return containers.map(({ name, ports, expose }) => {
    const published = ports.filter(({ protocol }) => protocol === 'tcp').map(({ containerPort }) => containerPort);
    const exposed = expose.filter(({ protocol }) => protocol === 'tcp').map(({ port }) => port);
    return { name, ports: [...new Set([...published, ...exposed])] };
  });
}

/**
 * Completes the requested target if there is only one possibility.
 * @param possible the containers of the service; empty if they are not known yet
 * @throws Invalid naming the field that is missing or wrong
 */
export function resolveTarget(asked: AskedTarget, possible: readonly PossibleTarget[]): DomainTarget {
  const name = asked.targetService ?? onlyTarget(possible)?.name;
  const names = possible.map((target) => target.name).join(', ');
  if (name === undefined) {
    throw Invalid.field('targetService', names ? `must be one of ${names}` : 'must name a container of the service');
  }
  const target = possible.find((one) => one.name === name);
  if (!target && possible.length > 0) throw Invalid.field('targetService', `must be one of ${names}`);
  const port = asked.targetPort ?? onlyOne(target?.ports ?? []);
  if (port === undefined) throw Invalid.field('targetPort', `must be the port that ${name} listens on`);
  return { targetService: name, targetPort: port };
}

/** The only container, or the only one with a port. */
function onlyTarget(possible: readonly PossibleTarget[]): PossibleTarget | undefined {
  return onlyOne(possible) ?? onlyOne(possible.filter(({ ports }) => ports.length > 0));
}

function onlyOne<T>(items: readonly T[]): T | undefined {
  return items.length === 1 ? items[0] : undefined;
}
