import { Injectable } from '@nestjs/common';
import { isInBuildRegistry } from '../../domain/building/built-image.js';
import { DeployFailure } from '../../domain/deploying/deploy-failure.js';
import { pinnedImage, type GroupTopology } from '../../domain/deploying/group-topology.js';
import { isReservedLabel } from '../../domain/deploying/reserved-labels.js';
import { BUILT_HERE } from '../../domain/git/git-source.js';
import type { ImageReference, ServicePlan } from '../../domain/service-plan.js';
import { BuildingSettings } from '../building/building-settings.js';
import { inOrder } from './in-order.js';
import {
  ContainerRuntime,
  type LocalImage,
  type Operation,
  type PullPolicy,
} from '../ports/engine/container-runtime.js';
import { ImagePullFailed } from '../ports/engine/container-runtime-errors.js';
import { RegistryReach } from '../ports/engine/registry-reach.js';

const NOTHING = () => [];

/** The registry of images whose name contains none. */
const DEFAULT_REGISTRY = 'docker.io';

/** Images by role. */
export type Images = ReadonlyMap<string, LocalImage>;

/** Selects the images of a deployment. They are pulled and inspected, and then referred to by id. */
@Injectable()
export class ImageSelection {
  constructor(
    private readonly runtime: ContainerRuntime,
    private readonly registries: RegistryReach,
    private readonly building: BuildingSettings,
  ) {}

  /**
   * @param pinned if given, the images of that deployment are reused instead of resolving the tags
   * @throws DeployFailure `image_pull_failed` for a registry without a public address
   * @throws ImagePullFailed, DiskFull, StepTimedOut, EngineUnavailable
   */
  async pull(
    plan: ServicePlan,
    policy: PullPolicy,
    pinned: GroupTopology | null,
    operation: Operation,
    log: (text: string) => void,
  ): Promise<Images> {
    const asked = plan.containers.map(({ name, image }) => ({
      name,
      image: wanted(name, image, pinned),
      isBuilt: image.registry === BUILT_HERE,
    }));
    const different = new Map(asked.map((each) => [each.image.ref, each]));
    const found = new Map<string, LocalImage>();
    await inOrder([...different.keys()], NOTHING, async (ref, givenUp) => {
      const signal = operation.signal ? AbortSignal.any([operation.signal, givenUp]) : givenUp;
      const { image, isBuilt } = different.get(ref)!;
      const given = { guard: operation.guard, signal };
      found.set(ref, await (isBuilt ? this.fetchBuilt(image, given, log) : this.fetch(image, policy, given, log)));
    });
    return new Map(asked.map(({ name, image }) => [name, found.get(image.ref)!]));
  }

  /** Like `pull`, for one image. */
  async fetch(
    image: ImageReference,
    policy: PullPolicy,
    operation: Operation,
    log: (text: string) => void,
  ): Promise<LocalImage> {
    if (isInBuildRegistry(image, this.building.registry))
      throw new DeployFailure('image_pull_failed', `${image.ref}: this image belongs to the service it was built for.`);
    const standing = policy === 'if-missing' ? await this.standing(image, operation, log) : null;
    if (standing) return standing;
    // The engine resolves the name again by itself, so only a firewall can fully protect private addresses.
    if (!(await this.registries.isPublic(image.registry)))
      throw new DeployFailure('image_pull_failed', `${image.ref}: the registry has no public address.`);
    try {
      const pulled = await this.runtime.pullImage({ image, policy: 'always' }, operation);
      log(`${image.ref}: pulled, ${pulled.digest ?? pulled.id}.`);
      return pulled;
    } catch (error) {
      const local = error instanceof ImagePullFailed ? await this.ownImage(image, error, operation) : null;
      if (!local) throw error;
      log(`${image.ref}: no registry could be asked for it; using the engine's own image, ${local.id}.`);
      return local;
    }
  }

  /** An image of an earlier build: from the engine, or else from the registry for built images, by its digest. */
  private async fetchBuilt(
    image: ImageReference,
    operation: Operation,
    log: (text: string) => void,
  ): Promise<LocalImage> {
    const standing = await this.standing(image, operation, log);
    if (standing) return standing;
    if (image.digest === null || !isInBuildRegistry(image, this.building.registry))
      throw new DeployFailure(
        'image_pull_failed',
        `${image.ref}: the engine no longer has this image, and it is in no registry. Deploy the commit again.`,
      );
    const pulled = await this.runtime.pullImage({ image, policy: 'always' }, operation);
    log(`${image.ref}: pulled.`);
    return pulled;
  }

  private async standing(
    image: ImageReference,
    { signal }: Operation,
    log: (text: string) => void,
  ): Promise<LocalImage | null> {
    const standing = await this.runtime.inspectImage(image, signal);
    if (standing) log(`${image.ref}: the engine has it, ${standing.id}.`);
    return standing;
  }

  /** An image without a registry in its name may have been built on the engine, so no registry has it. */
  private async ownImage(
    image: ImageReference,
    { reason }: ImagePullFailed,
    { signal }: Operation,
  ): Promise<LocalImage | null> {
    if (image.registry !== DEFAULT_REGISTRY) return null;
    const standing = await this.runtime.inspectImage(image, signal);
    const isMadeHere = standing?.digest === null && (reason === 'missing' || reason === 'denied');
    return reason === 'unreachable' || isMadeHere ? standing : null;
  }

  /** @throws DeployFailure `image_label_rejected` for an image with a reserved label */
  check(plan: ServicePlan, images: Images): void {
    for (const { name, image } of plan.containers) {
      const claimed = [...(images.get(name)?.labels.keys() ?? [])].find(isReservedLabel);
      if (claimed === undefined) continue;
      throw new DeployFailure('image_label_rejected', `The image ${image.ref} uses the reserved label ${claimed}.`);
    }
  }
}

function wanted(role: string, image: ImageReference, pinned: GroupTopology | null): ImageReference {
  const member = pinned?.members.find((candidate) => candidate.role === role);
  return member ? pinnedImage(member) : image;
}
