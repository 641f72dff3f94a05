import type Docker from 'dockerode';
import type { Operation } from '../../../application/ports/engine/container-runtime.js';
import { ImageRegistry, RegistryFailed } from '../../../application/ports/git/image-registry.js';
import { parseImageReference } from '../../../domain/compose/values/image-reference.js';
import type { ImageReference } from '../../../domain/service-plan.js';
import { pushFailure } from '../docker-errors.js';
import { EngineConnection, type EngineSettings } from '../engine/engine-connection.js';
import { BuildRegistry } from './build-registry.js';
import { TRANSFER_LIMITS, transferImage, type TransferLimits } from './image-transfer.js';
import { RegistryApi } from './registry-api.js';
import { isInsecure, type RegistryConfig } from './insecure-registries.js';

export interface ImageRegistrySettings extends EngineSettings {
  readonly registry: BuildRegistry;
  /** 60 s without progress and 15 min in all by default. */
  readonly push?: TransferLimits;
}

/** Pushes with the engine. The engine cannot remove images from a registry, so the registry's own API does that. */
export class EngineImageRegistry extends ImageRegistry {
  readonly #connection: EngineConnection;

  constructor(private readonly settings: ImageRegistrySettings) {
    super();
    this.#connection = new EngineConnection(settings);
  }

  async push(reference: string, operation: Operation): Promise<string> {
    const image = parsed(reference);
    const name = `${image.registry}/${image.repository}`;
    // The engine refuses a push without a login header, although the login may be empty.
    const authconfig: Docker.AuthConfig = this.settings.registry.loginFor(image) ?? {
      username: '',
      password: '',
      serveraddress: image.registry,
    };
    const start = (docker: Docker) => docker.getImage(name).push({ tag: image.tag ?? undefined, authconfig });
    const limits = this.settings.push ?? TRANSFER_LIMITS;
    try {
      const transfer = { name: `The push of ${reference}`, limits, start };
      const digest = await transferImage(this.#connection, transfer, operation);
      if (digest === null)
        throw new RegistryFailed('registry_failed', `The registry ${image.registry} returned no digest.`);
      return digest;
    } catch (error) {
      operation.signal?.throwIfAborted();
      throw pushFailure(image.registry, error);
    }
  }

  async remove(reference: string, digest: string, signal?: AbortSignal): Promise<boolean> {
    const image = parsed(reference);
    const { RegistryConfig: config } = (await this.#connection.ask(signal, (docker) => docker.info())) as {
      RegistryConfig?: RegistryConfig;
    };
    const login = this.settings.registry.loginFor(image) ?? null;
    const api = new RegistryApi(image.registry, login, isInsecure(image.registry, config));
    return api.removeManifest(image.repository, digest, signal);
  }
}

function parsed(reference: string): ImageReference {
  const image = parseImageReference(reference);
  if (!image) throw new RangeError(`not the name of an image: ${reference}`);
  return image;
}
