import { Invalid } from '#kernel/errors';
import type { ServicePlan } from '../service-plan.js';
import type { DomainTarget } from './service-domain.js';

/** Where a domain is to lead, as far as somebody said so. */
export interface AskedTarget {
  readonly targetService: string | null;
  readonly targetPort: number | null;
}

/** What is known of a container that a domain could lead to. */
export interface PossibleTarget {
  readonly name: string;
  /** TCP ports that its compose file speaks of. */
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
 * Fills in what was not said where only one answer is possible.
 * @param possible the containers of the service; none when nothing is known of them yet
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

/** The only container, or the only one that speaks of a port. */
function onlyTarget(possible: readonly PossibleTarget[]): PossibleTarget | undefined {
  return onlyOne(possible) ?? onlyOne(possible.filter(({ ports }) => ports.length > 0));
}

function onlyOne<T>(items: readonly T[]): T | undefined {
  return items.length === 1 ? items[0] : undefined;
}
