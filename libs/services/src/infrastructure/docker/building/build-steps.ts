const MAX_TAIL_LENGTH = 4_096;

/** What the output of the engine's builder tells of its steps. */
export class BuildSteps {
  readonly #layers = new Set<string>();
  #tail = '';
  #isBase = false;

  /** Ids of the images that the steps left, in their order; the images that they began with are not among them. */
  get layers(): readonly string[] {
    return [...this.#layers];
  }

  /** The last of what was said. */
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
