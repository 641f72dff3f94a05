import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { OrganisationScope } from '../../domain/organisation-scope.js';
import type { Operation } from '../ports/engine/container-runtime.js';
import { BuildRecords, type BuiltImageRecord } from '../ports/git/build-records.js';
import { ImageBuilder } from '../ports/git/image-builder.js';
import { ImageRegistry, RegistryFailed } from '../ports/git/image-registry.js';
import { ServiceRecords } from '../service-records.js';

const KEPT_IMAGES = 5;

/** Decides which built images are kept, and removes the others from the engine and the registry. */
@Injectable()
export class KeptImages {
  constructor(
    private readonly builder: ImageBuilder,
    private readonly registry: ImageRegistry,
    private readonly built: BuildRecords,
    private readonly records: ServiceRecords,
  ) {}

  /**
   * Removes old images. The newest are kept for rollbacks, and the deployed one however old it is. An image that the
   * registry could not remove stays recorded, and is removed after a later deployment.
   * @param serviceId the service whose deployment succeeded
   */
  async removeOld(serviceId: Uuid, operation: Operation, say: (text: string) => void): Promise<void> {
    const built = await this.built.images(serviceId);
    const deployed = await this.deployedImages(serviceId);
    const isKept = ({ imageId }: BuiltImageRecord, index: number) => index < KEPT_IMAGES || deployed.has(imageId);
    const removal = new Removal(this.builder, this.registry, built.filter(isKept), operation, say);
    const gone: Uuid[] = [];
    for (const image of built.filter((each, index) => !isKept(each, index)))
      if (await removal.remove(image)) gone.push(image.deploymentId);
    await this.records.transactions.run(() => this.built.forget(gone));
  }

  /** Removes all images of a service that is being removed. */
  async removeAll(serviceId: Uuid, operation: Operation, say: (text: string) => void): Promise<void> {
    const removal = new Removal(this.builder, this.registry, [], operation, say);
    for (const image of await this.built.images(serviceId)) await removal.remove(image);
  }

  private async deployedImages(serviceId: Uuid): Promise<ReadonlySet<string>> {
    const { services, deployments } = this.records;
    const id = (await services.get(OrganisationScope.everything, serviceId))?.state.currentDeploymentId ?? null;
    const current = id === null ? null : await deployments.get(OrganisationScope.everything, id);
    return new Set(current?.topology?.members.map(({ imageId }) => imageId));
  }
}

/** Removes images one after the other, except layers and manifests that kept images need. */
class Removal {
  readonly #layers: ReadonlySet<string>;
  /** Builds with the same result share one manifest, which is removed with the last of them. */
  readonly #digests: ReadonlySet<string | null>;
  #hasFailed = false;

  constructor(
    private readonly builder: ImageBuilder,
    private readonly registry: ImageRegistry,
    kept: readonly BuiltImageRecord[],
    private readonly operation: Operation,
    private readonly say: (text: string) => void,
  ) {
    this.#layers = new Set(kept.flatMap(({ layers }) => layers));
    this.#digests = new Set(kept.map(({ digest }) => digest));
  }

  /** @returns whether the image is gone */
  async remove({ reference, digest, layers }: BuiltImageRecord): Promise<boolean> {
    const unneeded = layers.filter((id) => !this.#layers.has(id));
    if (!(await this.builder.remove(reference, this.operation, unneeded))) return false;
    if (digest === null || this.#digests.has(digest)) return true;
    // An image that was pulled from the registry has only this name.
    await this.builder.remove(`${reference.replace(/:[^:/]*$/, '')}@${digest}`, this.operation);
    return this.#removeFromRegistry(reference, digest);
  }

  async #removeFromRegistry(reference: string, digest: string): Promise<boolean> {
    if (this.#hasFailed) return false;
    try {
      if (!(await this.registry.remove(reference, digest, this.operation.signal)))
        this.say(`Warning: registry_keeps_images: the registry does not remove ${reference}.`);
      return true;
    } catch (error) {
      if (!(error instanceof RegistryFailed)) throw error;
      this.#hasFailed = true;
      this.say(`Warning: registry_cleanup_failed: ${reference} stays in the registry for now: ${error.message}`);
      return false;
    }
  }
}
