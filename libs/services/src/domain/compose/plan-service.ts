import type { ContainerPlan, ServicePlan } from '../service-plan.js';
import type { ComposeFile, ComposeService } from './compose-file.js';
import { type Draft, draftContainer, type Surroundings } from './container.js';
import { checkHealthConditions, startOrder } from './dependencies.js';
import { readContents } from './environment.js';
import { OwnResources } from './networks.js';
import { type Findings, Place } from './place.js';
import { MAX_SERVICES, type PlanContext } from './plan-context.js';
import { shareResources } from './resources.js';

/**
 * Turns a compose file that passed the schema into the plan of its service. The same file and context always give the
 * same plan.
 * @param findings what interpolation and schema found; this function adds to it
 * @throws Invalid (`compose_forbidden` or `validation_failed`) with all violations
 */
export function planService(file: ComposeFile, context: PlanContext, findings: Findings): ServicePlan {
  const root = Place.root(findings);
  if (file.version !== undefined) root.at('version').warn('obsolete', 'Compose no longer uses version.');
  const around: Surroundings = {
    file,
    context,
    resources: new OwnResources(file, context, root),
    secrets: readContents(file.secrets, context.variables, root.at('secrets')),
    configs: readContents(file.configs, context.variables, root.at('configs')),
    takenPorts: new Set(),
  };
  const services = Object.entries(file.services ?? {});
  if (services.length > MAX_SERVICES) root.at('services').refuse(`At most ${MAX_SERVICES} services.`);
  const drafts = services.map(([name, service]) => draftContainer(name, service, around, root.at('services', name)));
  const started = withoutProfiles(drafts, root);
  checkDependencies(started, new Set(drafts.map(({ name }) => name)));
  checkHealthConditions(started);
  const ordered = startOrder(started);
  // Too many services would also get too little memory and CPU each. Those errors would only repeat the first one.
  if (services.length > MAX_SERVICES) findings.refuseIfAny();
  const shares = shareResources(
    ordered.map(({ asked }) => asked),
    context.resourceLimits,
  );
  const containers = ordered.map(
    ({ container }, index) => ({ ...container, resources: shares[index] }) as ContainerPlan,
  );
  containers.forEach((container, index) =>
    checkMemoryFilesystems(
      container,
      ordered[index]?.askedTmpfsBytes ?? 0,
      file.services?.[container.name],
      root.at('services', container.name),
    ),
  );
  warnUnusedFiles(around, containers, root);
  const kept = around.resources.keepOnly(usedNames(containers));
  findings.refuseIfAny();
  return { serviceId: context.serviceId, containers, ...kept, warnings: findings.warnings };
}

/** In Compose, a service with profiles starts only on demand. The panel has no such demand, so it never starts. */
function withoutProfiles(drafts: readonly Draft[], root: Place): readonly Draft[] {
  const started = drafts.filter((draft) => {
    if (draft.profiles.length === 0) return true;
    root.at('services', draft.name, 'profiles').warn('profile_excluded', 'A service with profiles is not started.');
    return false;
  });
  if (drafts.length > 0 && started.length === 0)
    root.at('services').refuse('Every service has profiles, so none would start.');
  return started;
}

function checkDependencies(started: readonly Draft[], known: ReadonlySet<string>): void {
  const names = new Set(started.map(({ name }) => name));
  for (const { dependsOn } of started)
    for (const { container, required, place } of dependsOn) {
      if (names.has(container)) continue;
      if (known.has(container) && !required)
        place.warn('profile_excluded', `The service ${container} has profiles and is not started.`);
      else
        place.refuse(
          `The service ${container} ${known.has(container) ? 'has profiles and is not started' : 'does not exist'}.`,
        );
    }
}

/** Files in shm and tmpfs count towards the container's memory limit, so larger ones would get it killed. */
function checkMemoryFilesystems(
  container: ContainerPlan,
  tmpfsBytes: number,
  service: ComposeService | undefined,
  place: Place,
): void {
  const { memoryBytes } = container.resources;
  if ((container.shmSizeBytes ?? 0) > memoryBytes)
    place.at('shm_size').refuse('It is above the memory limit of the container.', 'resources_exceeded');
  if (tmpfsBytes > memoryBytes)
    place
      .at(service?.tmpfs === undefined ? 'volumes' : 'tmpfs')
      .refuse('It is above the memory limit of the container.', 'resources_exceeded');
}

function warnUnusedFiles({ secrets, configs }: Surroundings, containers: readonly ContainerPlan[], root: Place): void {
  const used = new Set(containers.flatMap(({ files }) => files.map(({ kind, source }) => `${kind}s/${source}`)));
  for (const [section, contents] of [
    ['secrets', secrets],
    ['configs', configs],
  ] as const)
    for (const name of contents.keys())
      if (!used.has(`${section}/${name}`)) root.at(section, name).warn('unused', 'No started service uses it.');
}

function usedNames(containers: readonly ContainerPlan[]): ReadonlySet<string> {
  return new Set(
    containers.flatMap(({ networks, mounts }) => [
      ...networks.map(({ network }) => network),
      ...mounts.map(({ volume }) => volume),
    ]),
  );
}
