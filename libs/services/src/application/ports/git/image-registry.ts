import { DomainError } from '#kernel/errors';
import type { Operation } from '../engine/container-runtime.js';

export type RegistryProblem = 'registry_denied' | 'registry_unreachable' | 'registry_failed';

/** Why a request to the registry for built images failed. The message is safe to show to users. */
export class RegistryFailed extends DomainError {
  readonly kind = 'conflict';

  constructor(
    readonly problem: RegistryProblem,
    message: string,
    options?: { cause?: unknown },
  ) {
    super('build_failed', `${problem}: ${message}`, options);
  }
}

/** The registry that built images are pushed to, `BUILD_REGISTRY`. */
export abstract class ImageRegistry {
  /**
   * Pushes an image of the engine to the registry that its name begins with.
   * @returns the digest of its manifest @throws RegistryFailed; StepTimedOut; EngineUnavailable
   */
  abstract push(reference: string, operation: Operation): Promise<string>;

  /**
   * Removes a manifest with all its tags. A missing one is no error.
   * @param reference a name of the image; its tag does not matter
   * @returns false if the registry removes no images @throws RegistryFailed
   */
  abstract remove(reference: string, digest: string, signal?: AbortSignal): Promise<boolean>;
}
