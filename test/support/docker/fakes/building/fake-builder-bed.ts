import type { ImageBuilderBed } from '../../../../contract/image-builder.contract.js';
import { TextRepository } from '../../../git/text-repository.js';
import { FakeEngineState } from '../fake-engine-state.js';
import { FakeImageBuilder } from './fake-image-builder.js';

/** The fake builder with a fake engine, for the contract suite. */
export function openFakeBuilderBed(): Promise<ImageBuilderBed> {
  const engine = new FakeEngineState();
  const builder = new FakeImageBuilder(engine);
  const base = 'registry.example.com/fake/base:1';
  engine.images.set(base, engine.makeImage({}, null));
  let count = 0;
  return Promise.resolve({
    builder,
    base,
    imageWith: (instruction) => {
      const trap = 'registry.example.com/fake/trap:1';
      const triggers = [instruction.replace(/^ONBUILD /, '')];
      const id = builder.layers.add({ parent: '', instruction, files: new Map(), triggers });
      engine.images.set(trap, { ...engine.makeImage({}, null), id });
      return Promise.resolve(trap);
    },
    reference: () => `registry.example.com/fake/image:${(count += 1)}`,
    repository: (files, links) => Promise.resolve(new TextRepository(files, links)),
    fileOf: (image, path) => Promise.resolve(builder.fileOf(image, path)),
    containers: () => Promise.resolve(builder.running),
    layersOf: (text) => Promise.resolve(builder.layers.unnamed(text)),
    close: () => Promise.resolve(),
  });
}
