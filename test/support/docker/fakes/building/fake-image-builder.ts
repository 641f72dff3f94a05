import type {
  LocalImage,
  Operation,
} from '../../../../../libs/services/src/application/ports/engine/container-runtime.js';
import {
  BuildFailed,
  ImageBuilder,
  type BuildRequest,
  type MadeImage,
} from '../../../../../libs/services/src/application/ports/git/image-builder.js';
import { triggerDefect } from '../../../../../libs/services/src/domain/building/dockerfile-images.js';
import type { FakeEngineState } from '../fake-engine-state.js';
import { contextFiles } from './fake-context.js';
import { FakeDockerfile } from './fake-dockerfile.js';
import { FakeLayers } from './fake-layers.js';
import { FakeWatch } from './fake-watch.js';

/** Builds in memory. It supports the instructions of `FakeDockerfile` and the commands of the fake shell. */
export class FakeImageBuilder extends ImageBuilder {
  /** Number of running builds. */
  running = 0;
  readonly layers: FakeLayers;

  /** @param engine gets the images, so that a fake runtime can run them */
  constructor(private readonly engine: FakeEngineState) {
    super();
    this.layers = new FakeLayers(engine);
  }

  async build(request: BuildRequest, onOutput: (text: string) => void, operation: Operation): Promise<MadeImage> {
    await operation.guard();
    this.refuseTriggers(request);
    const watch = new FakeWatch(request.limits, operation.signal);
    const made: string[] = [];
    const say = (text: string) => {
      watch.heard(text);
      onOutput(text);
    };
    this.running += 1;
    try {
      const context = await contextFiles(request);
      const dockerfile = new FakeDockerfile(this.layers, { request, context, say, signal: watch.signal });
      const id = await dockerfile.run((layer) => made.push(layer));
      watch.signal.throwIfAborted();
      const image = { id, digest: null, labels: new Map<string, string>() };
      this.engine.images.set(request.reference, { ...image, contents: {} });
      return { ...image, layers: [...new Set(made)] };
    } catch (error) {
      this.layers.remove(made);
      watch.signal.throwIfAborted();
      throw error;
    } finally {
      this.running -= 1;
      watch.end();
    }
  }

  async remove(reference: string, operation: Operation, layers: readonly string[] = []): Promise<boolean> {
    await operation.guard();
    const image = this.engine.images.get(reference);
    const isUsed = [...this.engine.containers.values()].some((container) => container.image.id === image?.id);
    if (isUsed) return false;
    this.engine.images.delete(reference);
    if (image) this.layers.remove([image.id]);
    this.layers.remove(layers);
    return true;
  }

  fileOf({ id }: LocalImage, path: string): string | null {
    return this.layers.filesOf(id).get(path)?.text ?? null;
  }

  private refuseTriggers({ dockerfile: { images } }: BuildRequest): void {
    for (const { ref } of images)
      for (const instruction of this.layers.triggersOf(this.engine.images.get(ref)?.id ?? '')) {
        const defect = triggerDefect(instruction);
        if (defect !== null) throw new BuildFailed(`The image ${ref} cannot be built on. ${defect}`);
      }
  }
}
