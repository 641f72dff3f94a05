import type { BaseImageTable } from '../../domain/building/base-images.js';
import type { BuildLimits } from '../ports/git/image-builder.js';

/** Build settings of this installation. */
export abstract class BuildingSettings {
  abstract readonly limits: BuildLimits;
  abstract readonly baseImages: BaseImageTable;
  /** The registry to push to, such as `registry.internal:5000/path`. Null: built images stay on the engine. */
  abstract readonly registry: string | null;
  /** Whether BuildKit may be used, which builds with secrets need. */
  abstract readonly hasBuildKit: boolean;
  /** Whether nixpacks is installed here. */
  abstract readonly hasNixpacks: boolean;
}

export const BUILD_LIMITS: BuildLimits = {
  memoryMb: 2048,
  cpuCores: 1,
  processes: 2048,
  diskBytes: 10 * 1024 * 1024 * 1024,
  outputBytes: 64 * 1024 * 1024,
  totalMs: 900_000,
  silenceMs: 300_000,
};
