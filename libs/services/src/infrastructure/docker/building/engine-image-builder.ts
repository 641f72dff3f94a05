import type { Operation } from '../../../application/ports/engine/container-runtime.js';
import { ImageBuilder, type BuildRequest, type MadeImage } from '../../../application/ports/git/image-builder.js';
import { hasMounts } from '../../../domain/building/run-mounts.js';

/** Uses BuildKit for what only BuildKit can do, where it may be used. */
export class EngineImageBuilder extends ImageBuilder {
  constructor(
    private readonly classic: ImageBuilder,
    private readonly buildKit: ImageBuilder,
  ) {
    super();
  }

  build(request: BuildRequest, onOutput: (text: string) => void, operation: Operation): Promise<MadeImage> {
    const needsBuildKit = request.secrets.size > 0 || hasMounts(request.dockerfile.text);
    return (needsBuildKit ? this.buildKit : this.classic).build(request, onOutput, operation);
  }

  remove(reference: string, operation: Operation, layers?: readonly string[]): Promise<boolean> {
    return this.classic.remove(reference, operation, layers);
  }
}
