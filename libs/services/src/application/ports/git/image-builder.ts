import type { SecretText } from '#kernel/crypto/secret-text';
import { DomainError } from '#kernel/errors';
import type { CheckedDockerfile } from '../../../domain/building/dockerfile-images.js';
import type { LocalImage, Operation } from '../engine/container-runtime.js';
import type { ClonedRepository } from './git-checkout.js';

/** What one build may take. */
export interface BuildLimits {
  readonly memoryMb: number;
  readonly cpuCores: number;
  readonly processes: number;
  /** Written by one step beside the layers below it. */
  readonly diskBytes: number;
  /** Of what it says. */
  readonly outputBytes: number;
  readonly totalMs: number;
  /** As long may it say nothing. */
  readonly silenceMs: number;
}

export interface BuildRequest {
  readonly repository: ClonedRepository;
  /** The folder whose files are the context; '' for all. */
  readonly folder: string;
  /** Its path in that folder, its text, which takes the place of what stands there, and the images that it names. */
  readonly dockerfile: {
    readonly path: string;
    /** Files beside those of the repository, by path in that folder; they take the place of what stands there. */
    readonly files?: ReadonlyMap<string, string>;
  } & CheckedDockerfile;
  /** The new image's name with its tag. Images of builds that failed have none. */
  readonly reference: string;
  readonly buildArgs: ReadonlyMap<string, string>;
  /** By id, as `RUN --mount=type=secret` names them. They must be in no image, log and cache. */
  readonly secrets: ReadonlyMap<string, SecretText>;
  readonly limits: BuildLimits;
}

export interface MadeImage extends LocalImage {
  /** Ids of what its steps left besides it, in their order: a cache for later builds, which nothing else names. */
  readonly layers: readonly string[];
}

/** The build ended without an image, in words that may be shown. */
export class BuildFailed extends DomainError {
  readonly kind = 'conflict';

  constructor(message: string, options?: { cause?: unknown }) {
    super('build_failed', message, options);
  }
}

/** Makes images from the files of a repository and a Dockerfile. */
export abstract class ImageBuilder {
  /**
   * Every value of a secret is masked in what the build says.
   * The images that the Dockerfile names must be on the engine. When the signal ends it, nothing of it runs any more.
   * A build that fails leaves neither containers nor layers.
   * @param onOutput what the build says, as it comes: any part of lines
   * @throws BuildFailed; EngineUnavailable; the reason of the signal
   */
  abstract build(request: BuildRequest, onOutput: (text: string) => void, operation: Operation): Promise<MadeImage>;

  /**
   * Forgets an image and what only it was made of. One that is missing or in use is left alone.
   * @param layers of the same build, and of none that is kept
   * @returns whether the image is gone
   */
  abstract remove(reference: string, operation: Operation, layers?: readonly string[]): Promise<boolean>;
}
