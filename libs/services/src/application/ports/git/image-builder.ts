import type { SecretText } from '#kernel/crypto/secret-text';
import { DomainError } from '#kernel/errors';
import type { CheckedDockerfile } from '../../../domain/building/dockerfile-images.js';
import type { LocalImage, Operation } from '../engine/container-runtime.js';
import type { ClonedRepository } from './git-checkout.js';

/** Limits for one build. */
export interface BuildLimits {
  readonly memoryMb: number;
  readonly cpuCores: number;
  readonly processes: number;
  /** What one step may write, on top of the layers below it. */
  readonly diskBytes: number;
  /** Total size of its output. */
  readonly outputBytes: number;
  readonly totalMs: number;
  /** Maximum time without output. */
  readonly silenceMs: number;
}

export interface BuildRequest {
  readonly repository: ClonedRepository;
  /** The folder that is the build context. '' for the whole repository. */
  readonly folder: string;
  /** The Dockerfile to use. Its text replaces a file of the same path in the repository. */
  readonly dockerfile: {
    /** Relative to `folder`. */
    readonly path: string;
    /** Files to add to those of the repository, by path relative to `folder`. They replace existing ones. */
    readonly files?: ReadonlyMap<string, string>;
  } & CheckedDockerfile;
  /** Name and tag of the new image. */
  readonly reference: string;
  readonly buildArgs: ReadonlyMap<string, string>;
  /** By id, as in `RUN --mount=type=secret`. They must not get into images, logs or caches. */
  readonly secrets: ReadonlyMap<string, SecretText>;
  readonly limits: BuildLimits;
}

export interface MadeImage extends LocalImage {
  /** Ids of the intermediate images of its steps, in order. They are a cache for later builds and have no name. */
  readonly layers: readonly string[];
}

/** The build failed. The message is safe to show to users. */
export class BuildFailed extends DomainError {
  readonly kind = 'conflict';

  constructor(message: string, options?: { cause?: unknown }) {
    super('build_failed', message, options);
  }
}

/** Builds images from the files of a repository and a Dockerfile. */
export abstract class ImageBuilder {
  /**
   * The images that the Dockerfile names must be on the engine. Secrets are masked in the output. Once the signal has
   * aborted it, nothing of the build runs any more. A failed build leaves neither containers nor images.
   * @param onOutput receives the output as it arrives, in pieces that may contain parts of lines
   * @throws BuildFailed; EngineUnavailable; the reason of the signal
   */
  abstract build(request: BuildRequest, onOutput: (text: string) => void, operation: Operation): Promise<MadeImage>;

  /**
   * Removes an image and its layers. An image in use is kept.
   * @param layers intermediate images of the same build that no kept image needs
   * @returns true if the image no longer exists
   */
  abstract remove(reference: string, operation: Operation, layers?: readonly string[]): Promise<boolean>;
}
