import type { ContainerPlan, DependencyCondition, ImageReference, ServicePlan } from './service-plan.js';

/**
 * The part of a plan that is needed to handle its containers once they stand, and that holds nothing secret: it is
 * stored in clear, so that a service can be stopped when its specification cannot be opened.
 */
export interface GroupTopology {
  /** In start order. */
  readonly members: readonly GroupMember[];
  /** Names on the engine. */
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
  /** It ended with 0 while it was watched: its work is done, and it need not run. */
  readonly oneShot: boolean;
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
    networks: plan.networks.map(({ name }) => name),
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
  };
}

/** The topology with the members that ended well marked as such. */
export function withOneShots(topology: GroupTopology, ended: ReadonlySet<string>): GroupTopology {
  return { ...topology, members: topology.members.map((member) => ({ ...member, oneShot: ended.has(member.role) })) };
}

/** Digest by role, as the deployment record shows them. */
export function imageDigests(topology: GroupTopology | null): Readonly<Record<string, string | null>> {
  return Object.fromEntries((topology?.members ?? []).map(({ role, digest }) => [role, digest]));
}

/** What a member's reference meant at the commit point of its deployment, wherever its tag has moved since. */
export function pinnedImage({ image, digest }: GroupMember): ImageReference {
  if (digest === null) return image;
  return { ...image, digest, ref: `${image.registry}/${image.repository}@${digest}` };
}
