import { Injectable } from '@nestjs/common';
import { DeployFailure } from '../../domain/deploying/deploy-failure.js';
import { pinnedImage, type GroupTopology } from '../../domain/deploying/group-topology.js';
import { isReservedLabel } from '../../domain/deploying/reserved-labels.js';
import type { ImageReference, ServicePlan } from '../../domain/service-plan.js';
import { inOrder } from './in-order.js';
import {
  ContainerRuntime,
  type LocalImage,
  type Operation,
  type PullPolicy,
} from '../ports/engine/container-runtime.js';
import { RegistryReach } from '../ports/engine/registry-reach.js';

const NOTHING = () => [];

/** Images by role. */
export type Images = ReadonlyMap<string, LocalImage>;

/** Which images a deployment runs: pulled first, then looked at, and from then on named by their ids. */
@Injectable()
export class ImageSelection {
  constructor(
    private readonly runtime: ContainerRuntime,
    private readonly registries: RegistryReach,
  ) {}

  /**
   * @param pinned when given, the images of that deployment instead of what the tags mean now
   * @throws DeployFailure `image_pull_failed` for a registry at no public address
   * @throws ImagePullFailed, DiskFull, StepTimedOut, EngineUnavailable
   */
  async pull(
    plan: ServicePlan,
    policy: PullPolicy,
    pinned: GroupTopology | null,
    operation: Operation,
  ): Promise<Images> {
    const asked = plan.containers.map(({ name, image }) => ({ name, image: wanted(name, image, pinned) }));
    const different = new Map(asked.map(({ image }) => [image.ref, image]));
    const found = new Map<string, LocalImage>();
    await inOrder([...different.keys()], NOTHING, async (ref, givenUp) => {
      const signal = operation.signal ? AbortSignal.any([operation.signal, givenUp]) : givenUp;
      found.set(ref, await this.get(different.get(ref)!, policy, { guard: operation.guard, signal }));
    });
    return new Map(asked.map(({ name, image }) => [name, found.get(image.ref)!]));
  }

  private async get(image: ImageReference, policy: PullPolicy, operation: Operation): Promise<LocalImage> {
    const standing = policy === 'if-missing' ? await this.runtime.inspectImage(image, operation.signal) : null;
    if (standing) return standing;
    // The engine resolves the name once more: a firewall keeps it from private addresses, this from being asked to.
    if (!(await this.registries.isPublic(image.registry)))
      throw new DeployFailure('image_pull_failed', `${image.ref}: the registry is at no public address.`);
    return this.runtime.pullImage({ image, policy: 'always' }, operation);
  }

  /** @throws DeployFailure `image_label_rejected` for an image that claims a name which the panel or an ingress believes */
  check(plan: ServicePlan, images: Images): void {
    for (const { name, image } of plan.containers) {
      const claimed = [...(images.get(name)?.labels.keys() ?? [])].find(isReservedLabel);
      if (claimed === undefined) continue;
      throw new DeployFailure('image_label_rejected', `The image ${image.ref} claims the reserved label ${claimed}.`);
    }
  }
}

function wanted(role: string, image: ImageReference, pinned: GroupTopology | null): ImageReference {
  const member = pinned?.members.find((candidate) => candidate.role === role);
  return member ? pinnedImage(member) : image;
}
