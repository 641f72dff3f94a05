import { Injectable } from '@nestjs/common';
import { DeployFailure } from '../domain/deploy-failure.js';
import { pinnedImage, type GroupTopology } from '../domain/group-topology.js';
import { isReservedLabel } from '../domain/reserved-labels.js';
import type { ImageReference, ServicePlan } from '../domain/service-plan.js';
import { ContainerRuntime, type LocalImage, type Operation, type PullPolicy } from './ports/container-runtime.js';

/** Images by role. */
export type Images = ReadonlyMap<string, LocalImage>;

/** Which images a deployment runs: pulled first, then looked at, and from then on named by their ids. */
@Injectable()
export class ImageSelection {
  constructor(private readonly runtime: ContainerRuntime) {}

  /**
   * @param pinned when given, the images of that deployment instead of what the tags mean now
   * @throws ImagePullFailed, DiskFull, StepTimedOut, EngineUnavailable
   */
  async pull(
    plan: ServicePlan,
    policy: PullPolicy,
    pinned: GroupTopology | null,
    operation: Operation,
  ): Promise<Images> {
    const byRef = new Map<string, LocalImage>();
    const images = new Map<string, LocalImage>();
    for (const container of plan.containers) {
      const image = wanted(container.name, container.image, pinned);
      const known = byRef.get(image.ref) ?? (await this.runtime.pullImage({ image, policy }, operation));
      byRef.set(image.ref, known);
      images.set(container.name, known);
    }
    return images;
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
