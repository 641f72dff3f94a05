import {
  ContainerCreateFailed,
  ImagePullFailed,
  VolumeConflict,
} from '../../../../libs/services/src/application/ports/engine/container-runtime-errors.js';
import type {
  LocalImage,
  PullProgress,
} from '../../../../libs/services/src/application/ports/engine/container-runtime.js';
import type {
  OwnedNetwork,
  OwnedVolume,
} from '../../../../libs/services/src/application/ports/engine/container-state.js';
import type { ImageReference, NetworkPlan, VolumePlan } from '../../../../libs/services/src/domain/service-plan.js';
import { fakeDigest, type FakeEngineState, type FakeImage } from './fake-engine-state.js';

/** Images, networks and volumes in memory. */
export class FakeResources {
  /** Registry hosts that do not respond, and those that require credentials. */
  readonly deadRegistries = new Set<string>();
  readonly guardedRegistries = new Set<string>();

  constructor(private readonly state: FakeEngineState) {}

  pull(image: ImageReference, onProgress: (progress: PullProgress) => void = () => undefined): LocalImage {
    if (this.deadRegistries.has(image.registry)) throw pullFailed(image, 'unreachable');
    if (this.guardedRegistries.has(image.registry)) throw pullFailed(image, 'denied');
    const found = this.state.published.get(nameOf(image));
    if (!found) throw pullFailed(image, 'missing');
    onProgress({ layer: null, status: 'Downloaded', currentBytes: null, totalBytes: null });
    this.state.images.set(nameOf(image), found);
    this.state.images.set(`${image.registry}/${image.repository}@${found.digest}`, found);
    return withoutContents(found);
  }

  imageNamed(image: ImageReference): LocalImage | null {
    const found = this.state.images.get(nameOf(image));
    return found ? withoutContents(found) : null;
  }

  removeTag(image: ImageReference): void {
    this.state.images.delete(nameOf(image));
  }

  owned(serviceId: string | null): { networks: OwnedNetwork[]; volumes: OwnedVolume[] } {
    const ofService = (resource: { serviceId: string }) => serviceId === null || resource.serviceId === serviceId;
    return {
      networks: [...this.state.networks.values()].filter(ofService),
      volumes: [...this.state.volumes.values()].filter(ofService),
    };
  }

  ensureNetwork(asking: string, { name, internal, organisation }: NetworkPlan): void {
    const serviceId = organisation ?? asking;
    const standing = this.state.networks.get(name);
    if (this.state.foreign.has(`network ${name}`) || (standing && standing.serviceId !== serviceId)) {
      throw new ContainerCreateFailed(`The network name ${name} is taken.`);
    }
    if (standing && standing.internal !== internal) {
      throw new ContainerCreateFailed(`The network ${name} exists and cannot change whether it is internal.`);
    }
    const id = standing?.id ?? fakeDigest(`network ${name}`).slice('sha256:'.length);
    this.state.networks.set(name, { id, name, serviceId, internal });
  }

  ensureVolume(serviceId: string, { name }: VolumePlan): void {
    const standing = this.state.volumes.get(name);
    if (this.state.foreign.has(`volume ${name}`) || (standing && standing.serviceId !== serviceId)) {
      throw new VolumeConflict(`The volume name ${name} is taken.`);
    }
    this.state.volumes.set(name, { name, serviceId });
  }

  removeNetwork(name: string): void {
    if (this.state.foreign.has(`network ${name}`)) {
      throw new ContainerCreateFailed(`The network name ${name} is taken.`);
    }
    for (const { networks } of this.state.containers.values()) networks.delete(name);
    this.state.networks.delete(name);
  }

  removeUnusedNetwork(name: string): void {
    const isUsed = [...this.state.containers.values()].some(({ networks }) => networks.has(name));
    if (!isUsed) this.state.networks.delete(name);
  }

  removeVolume(name: string): void {
    const used = [...this.state.containers.values()].some(({ spec }) =>
      spec.plan.mounts.some(({ volume }) => volume === name),
    );
    if (used) throw new VolumeConflict(`The volume ${name} is used by a container.`);
    if (this.state.foreign.has(`volume ${name}`)) throw new VolumeConflict(`The volume name ${name} is taken.`);
    this.state.volumes.delete(name);
  }
}

function nameOf({ registry, repository, tag, digest }: ImageReference): string {
  return digest ? `${registry}/${repository}@${digest}` : `${registry}/${repository}:${tag}`;
}

function withoutContents({ id, digest, labels }: FakeImage): LocalImage {
  return { id, digest, labels };
}

function pullFailed(image: ImageReference, reason: 'unreachable' | 'denied' | 'missing'): ImagePullFailed {
  return new ImagePullFailed(reason, `${image.ref}: ${reason}`);
}
