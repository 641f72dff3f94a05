import type { Operation } from '../../../application/ports/engine/container-runtime.js';
import { BuildFailed, type BuildLimits } from '../../../application/ports/git/image-builder.js';
import type { EngineConnection } from '../engine/engine-connection.js';

const LOOK_MS = 3_000;

/**
 * Keeps the limits that the engine's builder does not know: time, silence, the number of processes and what a step
 * writes. A limit that is passed ends the build by `signal`.
 */
export class BuildWatch {
  readonly #over = new AbortController();
  readonly #total: NodeJS.Timeout;
  readonly #silence: NodeJS.Timeout;
  readonly #looks: NodeJS.Timeout;
  #container: string | null = null;

  constructor(
    private readonly connection: EngineConnection,
    private readonly limits: BuildLimits,
    private readonly operation: Operation,
  ) {
    const { totalMs, silenceMs } = limits;
    this.#total = setTimeout(() => this.#end(`The build took longer than ${totalMs / 1000} s.`), totalMs);
    this.#silence = setTimeout(() => this.#end(`The build produced no output for ${silenceMs / 1000} s.`), silenceMs);
    this.#looks = setInterval(() => void this.#lookAtDisk(), LOOK_MS);
  }

  get signal(): AbortSignal {
    const { signal } = this.operation;
    return signal ? AbortSignal.any([signal, this.#over.signal]) : this.#over.signal;
  }

  heard(): void {
    this.#silence.refresh();
  }

  /** A step runs in this container: its number of processes is bounded from now on. */
  async stepRuns(container: string): Promise<void> {
    this.#container = container;
    await this.#quietly(() =>
      this.connection.call({ timeoutMs: LOOK_MS, signal: this.signal }, (docker) =>
        docker.getContainer(container).update({ PidsLimit: this.limits.processes }),
      ),
    );
  }

  end(): void {
    clearTimeout(this.#total);
    clearTimeout(this.#silence);
    clearInterval(this.#looks);
  }

  async #lookAtDisk(): Promise<void> {
    const container = this.#container;
    if (container === null) return;
    await this.#quietly(async () => {
      const [found] = await this.connection.call({ timeoutMs: LOOK_MS * 3, signal: this.signal }, (docker) =>
        docker.listContainers({ size: true, filters: { id: [container] } }),
      );
      const written = Number((found as { SizeRw?: number } | undefined)?.SizeRw ?? 0);
      const megabytes = Math.round(this.limits.diskBytes / 1024 / 1024);
      if (written > this.limits.diskBytes) this.#end(`A step of the build wrote more than ${megabytes} MB.`);
    });
  }

  /** Steps come and go: a container that is gone by now needs no limit. */
  async #quietly(look: () => Promise<unknown>): Promise<void> {
    try {
      await look();
    } catch {
      // The build's own answer tells when the engine is away.
    }
  }

  #end(text: string): void {
    this.#over.abort(new BuildFailed(text));
  }
}
