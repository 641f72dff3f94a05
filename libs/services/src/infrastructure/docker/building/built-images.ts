import type { LocalImage, Operation } from '../../../application/ports/engine/container-runtime.js';
import { BuildFailed, type BuildRequest } from '../../../application/ports/git/image-builder.js';
import { isRefusal, unexpected } from '../docker-errors.js';
import type { EngineConnection } from '../engine/engine-connection.js';
import type { BuildLayers } from './build-layers.js';

/** The images that a build starts from and creates. The same for every builder of the engine. */
export class BuiltImages {
  constructor(
    private readonly connection: EngineConnection,
    private readonly layers: BuildLayers,
  ) {}

  /**
   * The triggers (ONBUILD) of a base image are written by its author, so they are checked like the Dockerfile.
   * @throws BuildFailed
   */
  async refuseTriggers(
    { dockerfile: { images } }: BuildRequest,
    defectOf: (instruction: string) => string | null,
    { signal }: Operation,
  ): Promise<void> {
    for (const { ref } of images) {
      const { Config } = await this.connection.ask(signal, (docker) => docker.getImage(ref).inspect());
      for (const instruction of (Config?.OnBuild ?? []) as readonly string[]) {
        const defect = defectOf(instruction);
        if (defect !== null) throw new BuildFailed(`The image ${ref} cannot be built on. ${defect}`);
      }
    }
  }

  async inspect(id: string, { signal }: Operation): Promise<LocalImage> {
    const found = await this.connection.ask(signal, (docker) => docker.getImage(id).inspect());
    return { id: found.Id, digest: null, labels: new Map(Object.entries(found.Config?.Labels ?? {})) };
  }

  async remove(reference: string, operation: Operation, layers: readonly string[] = []): Promise<boolean> {
    try {
      await this.connection.change(operation, (docker) => docker.getImage(reference).remove());
    } catch (error) {
      if (isRefusal(error, 409)) return false;
      if (!isRefusal(error, 404)) throw unexpected(error);
    }
    await this.layers.remove(layers, operation.signal);
    return true;
  }
}
