const MAX_TAIL_LENGTH = 4_096;

/** Reads the steps of a build from the output of the engine's builder. */
export class BuildSteps {
  readonly #layers = new Set<string>();
  #tail = '';
  #isBase = false;

  /** Ids of the images that the steps created, in order, without the images that they started from. */
  get layers(): readonly string[] {
    return [...this.#layers];
  }

  /** The end of the output. */
  get tail(): string {
    return this.#tail;
  }

  /** @returns whether a step may have begun to run */
  read(text: string): boolean {
    this.#tail = (this.#tail + text).slice(-MAX_TAIL_LENGTH);
    if (/^Step \d+\/\d+ : /.test(text)) this.#isBase = /^Step \d+\/\d+ : FROM\s/i.test(text);
    const layer = /^ ---> ([0-9a-f]{12,64})\s*$/.exec(text)?.[1];
    if (layer !== undefined && !this.#isBase) this.#layers.add(layer);
    return text.startsWith(' ---> Running in ');
  }
}
