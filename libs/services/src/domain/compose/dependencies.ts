import type { Dependency, DependencyCondition, Healthcheck } from '../service-plan.js';
import type { ComposeDependency, ComposeService } from './compose-file.js';
import type { Place } from './place.js';
import { readList, readTruth } from './readers.js';

/** A list waits only for the start of the other services. A mapping says what to wait for. */
export function readDependencies(
  value: ComposeService['depends_on'],
  place: Place,
): readonly (Dependency & { place: Place })[] {
  if (Array.isArray(value))
    return readList<string>(value as readonly string[], place).map(({ item, place: at }) => ({
      container: item,
      condition: 'service_started',
      restart: false,
      required: true,
      place: at,
    }));
  return Object.entries((value ?? {}) as Readonly<Record<string, ComposeDependency>>).map(
    ([container, dependency]) => ({
      container,
      condition: (dependency.condition ?? 'service_started') as DependencyCondition,
      restart: readTruth(dependency.restart),
      required: dependency.required === undefined || readTruth(dependency.required),
      place: place.at(container),
    }),
  );
}

interface Waiting {
  readonly name: string;
  readonly container: { readonly healthcheck: Healthcheck | null };
  readonly dependsOn: readonly (Dependency & { readonly place: Place })[];
}

/** Only a warning if the file has no health check, because the image may have one. */
export function checkHealthConditions(started: readonly Waiting[]): void {
  const tests = new Map(started.map(({ name, container }) => [name, container.healthcheck?.test]));
  for (const { dependsOn } of started)
    for (const { container, condition, required, place } of dependsOn) {
      if (condition !== 'service_healthy' || !required || !tests.has(container)) continue;
      const test = tests.get(container) ?? null;
      if (test === null)
        place.warn(
          'health_check_unknown',
          `The service ${container} declares no health check. Unless its image has one, the deployment fails here.`,
        );
      else if (test[0] === 'NONE')
        place.refuse(`The health check of the service ${container} is disabled, so it never becomes healthy.`);
    }
}

interface Node {
  readonly name: string;
  readonly dependsOn: readonly Dependency[];
  /** The place of `depends_on`. */
  readonly place: Place;
}

/**
 * Sorts the nodes so that each comes after its dependencies, and otherwise in the order of the file. A cycle is refused
 * once, with the names in it.
 */
export function startOrder<T extends Node>(nodes: readonly T[]): readonly T[] {
  const byName = new Map(nodes.map((node) => [node.name, node]));
  const done = new Set<string>();
  const ordered: T[] = [];
  const path: T[] = [];
  const onPath = new Set<T>();
  const visit = (node: T): void => {
    if (done.has(node.name)) return;
    if (onPath.has(node)) {
      const names = [...path.slice(path.indexOf(node)), node].map(({ name }) => name);
      path.at(-1)?.place.refuse(`The dependencies form a cycle: ${names.join(' → ')}.`);
      return;
    }
    onPath.add(node);
    path.push(node);
    for (const { container } of node.dependsOn) {
      const next = byName.get(container);
      if (next) visit(next);
    }
    path.pop();
    ordered.push(node);
    done.add(node.name);
  };
  for (const node of nodes) visit(node);
  return ordered;
}
