import type {
  ContainerPlan,
  DependencyCondition,
  ImageReference,
  RestartPolicy,
  ServicePlan,
} from '../service-plan.js';

/**
 * The part of a plan that is needed to control the containers once they exist. It contains no secrets and is stored in
 * clear, so a service can be stopped even if its specification cannot be decrypted.
 */
export interface GroupTopology {
  /** In start order. */
  readonly members: readonly GroupMember[];
  /** Names on the engine, without networks that the organisation shares. */
  readonly networks: readonly string[];
  readonly volumes: readonly string[];
}

export interface GroupMember {
  /** The container's name in the plan. */
  readonly role: string;
  readonly image: ImageReference;
  /** The image that the reference meant at the commit point. The deployment runs no other. */
  readonly imageId: string;
  /** Digest of the manifest. Null for an image that did not come from a registry. */
  readonly digest: string | null;
  readonly stopGraceMs: number;
  readonly dependsOn: readonly MemberDependency[];
  /** It has exited with 0 and is not restarted by its policy, so it does not need to run. */
  readonly oneShot: boolean;
  /** Missing in deployments from before this field was stored. */
  readonly restart?: RestartPolicy;
}

export interface MemberDependency {
  readonly role: string;
  readonly condition: DependencyCondition;
  readonly required: boolean;
}

const ENGINE_GRACE_MS = 10_000;

/** @param images by role, as the references of the plan resolve now */
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

/** What follows an exit: the work is done, the restart policy is used up, or the container should run again. */
export type Fate = 'done' | 'exhausted' | 'runs-again';

export function fateOf(
  { restart }: GroupMember,
  { exitCode, restartCount }: { readonly exitCode: number | null; readonly restartCount: number },
): Fate {
  if (exitCode === 0) return restart?.name === 'no' || restart?.name === 'on-failure' ? 'done' : 'runs-again';
  const { name, maximumRetries = 0 } = restart ?? {};
  return name === 'on-failure' && maximumRetries > 0 && restartCount >= maximumRetries ? 'exhausted' : 'runs-again';
}

/** The topology with these roles marked as completed. */
export function withOneShots(topology: GroupTopology, ended: ReadonlySet<string>): GroupTopology {
  return { ...topology, members: topology.members.map(marked(ended)) };
}

const marked = (ended: ReadonlySet<string>) => (member: GroupMember) => ({
  ...member,
  oneShot: member.oneShot || ended.has(member.role),
});

/** Digests by role, as the deployment record shows them. */
export function imageDigests(topology: GroupTopology | null): Readonly<Record<string, string | null>> {
  return Object.fromEntries((topology?.members ?? []).map(({ role, digest }) => [role, digest]));
}

/** The image that the reference meant at the commit point, even if the tag has moved since. */
export function pinnedImage({ image, digest }: GroupMember): ImageReference {
  if (digest === null) return image;
  return { ...image, digest, ref: `${image.registry}/${image.repository}@${digest}` };
}
