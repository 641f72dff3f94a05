import type {
  ContainerPlan,
  DependencyCondition,
  ImageReference,
  RestartPolicy,
  ServicePlan,
} from '../service-plan.js';

/**
 * The part of a plan that is needed to handle its containers once they stand, and that holds nothing secret: it is
 * stored in clear, so that a service can be stopped when its specification cannot be opened.
 */
export interface GroupTopology {
  /** In start order. */
  readonly members: readonly GroupMember[];
  /** Names on the engine of what belongs to the service alone. */
  readonly networks: readonly string[];
  readonly volumes: readonly string[];
}

export interface GroupMember {
  /** The container's name in the plan. */
  readonly role: string;
  readonly image: ImageReference;
  /** What the reference meant at the commit point: the only image this deployment runs. */
  readonly imageId: string;
  /** Of the manifest; null for an image that the engine did not get from a registry. */
  readonly digest: string | null;
  readonly stopGraceMs: number;
  readonly dependsOn: readonly MemberDependency[];
  /** It ended with 0 and was not to be restarted: its work is done, and it need not run. */
  readonly oneShot: boolean;
  /** Missing in what was deployed before it was kept. */
  readonly restart?: RestartPolicy;
}

export interface MemberDependency {
  readonly role: string;
  readonly condition: DependencyCondition;
  readonly required: boolean;
}

const ENGINE_GRACE_MS = 10_000;

/** @param images by role: what the plan's references mean now */
export function topologyOf(
  plan: ServicePlan,
  images: ReadonlyMap<string, { readonly id: string; readonly digest: string | null }>,
): GroupTopology {
  return {
    members: plan.containers.map((container) => memberOf(container, images.get(container.name))),
    networks: plan.networks.filter(({ organisation }) => organisation === undefined).map(({ name }) => name),
    volumes: plan.volumes.map(({ name }) => name),
  };
}

function memberOf(container: ContainerPlan, image: { id: string; digest: string | null } | undefined): GroupMember {
  if (!image) throw new RangeError(`no image is known for ${container.name}`);
  return {
    role: container.name,
    image: container.image,
    imageId: image.id,
    digest: image.digest,
    stopGraceMs: container.stopGraceMs ?? ENGINE_GRACE_MS,
    dependsOn: container.dependsOn.map(({ container: role, condition, required }) => ({ role, condition, required })),
    oneShot: false,
    restart: container.restart,
  };
}

/** What becomes of a container that ended: its work is done, its engine has given it up, or it should run again. */
export type Fate = 'done' | 'exhausted' | 'runs-again';

export function fateOf(
  { restart }: GroupMember,
  { exitCode, restartCount }: { readonly exitCode: number | null; readonly restartCount: number },
): Fate {
  if (exitCode === 0) return restart?.name === 'no' || restart?.name === 'on-failure' ? 'done' : 'runs-again';
  const { name, maximumRetries = 0 } = restart ?? {};
  return name === 'on-failure' && maximumRetries > 0 && restartCount >= maximumRetries ? 'exhausted' : 'runs-again';
}

/** The topology with the members that ended well marked as such. */
export function withOneShots(topology: GroupTopology, ended: ReadonlySet<string>): GroupTopology {
  return { ...topology, members: topology.members.map(marked(ended)) };
}

const marked = (ended: ReadonlySet<string>) => (member: GroupMember) => ({
  ...member,
  oneShot: member.oneShot || ended.has(member.role),
});

/** Digest by role, as the deployment record shows them. */
export function imageDigests(topology: GroupTopology | null): Readonly<Record<string, string | null>> {
  return Object.fromEntries((topology?.members ?? []).map(({ role, digest }) => [role, digest]));
}

/** What a member's reference meant at the commit point of its deployment, wherever its tag has moved since. */
export function pinnedImage({ image, digest }: GroupMember): ImageReference {
  if (digest === null) return image;
  return { ...image, digest, ref: `${image.registry}/${image.repository}@${digest}` };
}
