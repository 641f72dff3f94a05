import { fakeDigest, type FakeEngineState } from '../fake-engine-state.js';

export interface FakeBuildFile {
  readonly text: string;
  readonly isLink: boolean;
}

interface FakeLayer {
  readonly parent: string;
  readonly instruction: string;
  readonly files: ReadonlyMap<string, FakeBuildFile>;
  readonly triggers: readonly string[];
}

/** The layers that build steps create. Images that were not built here have no files. */
export class FakeLayers {
  readonly #layers = new Map<string, FakeLayer>();

  constructor(private readonly engine: FakeEngineState) {}

  /** @returns the id; the same step on the same layer always gets the same one */
  add(layer: FakeLayer): string {
    const files = [...layer.files].map(([path, { text }]) => `${path}=${text}`).join('\n');
    const id = fakeDigest(`layer ${layer.parent} ${layer.instruction} ${files}`);
    this.#layers.set(id, layer);
    return id;
  }

  /** The id of an image by its name. */
  named(reference: string): string | undefined {
    return this.engine.images.get(reference)?.id;
  }

  filesOf(id: string): ReadonlyMap<string, FakeBuildFile> {
    return this.#layers.get(id)?.files ?? new Map<string, FakeBuildFile>();
  }

  triggersOf(id: string): readonly string[] {
    return this.#layers.get(id)?.triggers ?? [];
  }

  /** Removes layers, the last one first. Layers with a name and layers that others are based on are kept. */
  remove(ids: readonly string[]): void {
    for (const id of [...ids].reverse()) {
      const isBase = [...this.#layers.values()].some(({ parent }) => parent === id);
      if (!isBase && !this.#hasName(id)) this.#layers.delete(id);
    }
  }

  /** The number of layers without a name whose instruction contains this text. */
  unnamed(text: string): number {
    return [...this.#layers].filter(([id, { instruction }]) => instruction.includes(text) && !this.#hasName(id)).length;
  }

  #hasName(id: string): boolean {
    return this.engine.imageById(id) !== undefined;
  }
}
