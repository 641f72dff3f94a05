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

/** What steps leave. An image that nobody built here is empty. */
export class FakeLayers {
  readonly #layers = new Map<string, FakeLayer>();

  constructor(private readonly engine: FakeEngineState) {}

  /** @returns the id, which is the same for the same step on the same layer */
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

  /** From the last to the first. What has a name, or was built on, stays. */
  remove(ids: readonly string[]): void {
    for (const id of [...ids].reverse()) {
      const isBase = [...this.#layers.values()].some(({ parent }) => parent === id);
      if (!isBase && !this.#hasName(id)) this.#layers.delete(id);
    }
  }

  /** How many without a name a step with this text made. */
  unnamed(text: string): number {
    return [...this.#layers].filter(([id, { instruction }]) => instruction.includes(text) && !this.#hasName(id)).length;
  }

  #hasName(id: string): boolean {
    return this.engine.imageById(id) !== undefined;
  }
}
