import type { ContainerInfo } from 'dockerode';
import type { Operation } from '../../../application/ports/engine/container-runtime.js';
import { BuildFailed, type BuildLimits } from '../../../application/ports/git/image-builder.js';
import type { EngineConnection } from '../engine/engine-connection.js';

const LOOK_MS = 1_000;
const CALL_MS = 3_000;

/**
 * Keeps the limits that the engine's builder does not know: time, silence, output, the number of processes and what a
 * step writes. A limit that is passed ends the build by `signal`.
 */
export class BuildWatch {
  readonly #over = new AbortController();
  readonly #total: NodeJS.Timeout;
  readonly #silence: NodeJS.Timeout;
  readonly #looks: NodeJS.Timeout;
  readonly #bounded = new Set<string>();
  #heard = 0;
  #isLooking = false;
  #isAskedAgain = false;

  constructor(
    private readonly connection: EngineConnection,
    private readonly network: string,
    private readonly limits: BuildLimits,
    private readonly operation: Operation,
  ) {
    const { totalMs, silenceMs } = limits;
    this.#total = setTimeout(() => this.#end(`The build took longer than ${totalMs / 1000} s.`), totalMs);
    this.#silence = setTimeout(() => this.#end(`The build produced no output for ${silenceMs / 1000} s.`), silenceMs);
    this.#looks = setInterval(() => void this.look(), LOOK_MS);
  }

  get signal(): AbortSignal {
    const { signal } = this.operation;
    return signal ? AbortSignal.any([signal, this.#over.signal]) : this.#over.signal;
  }

  heard(text: string): void {
    this.#silence.refresh();
    this.#heard += text.length;
    const { outputBytes } = this.limits;
    if (this.#heard > outputBytes) this.#end(`The build produced more than ${megabytes(outputBytes)} MB of output.`);
  }

  end(): void {
    clearTimeout(this.#total);
    clearTimeout(this.#silence);
    clearInterval(this.#looks);
  }

  /**
   * Bounds what runs in the network of builds, where one build runs at a time. What a build says of its containers is
   * not believed: it could name those of others.
   */
  async look(): Promise<void> {
    if (this.#isLooking) {
      this.#isAskedAgain = true;
      return;
    }
    this.#isLooking = true;
    do {
      this.#isAskedAgain = false;
      await this.#quietly(() => this.#lookOnce());
    } while (this.#isAskedAgain && !this.signal.aborted);
    this.#isLooking = false;
  }

  /** Also at containers that do not run yet: a step is bounded before it can start many processes. */
  async #lookOnce(): Promise<void> {
    const found = await this.connection.call({ timeoutMs: CALL_MS * 3, signal: this.signal }, (docker) =>
      docker.listContainers({ all: true, size: true, filters: { network: [this.network] } }),
    );
    for (const container of found) await this.#quietly(() => this.#bound(container));
  }

  async #bound(container: ContainerInfo & { readonly SizeRw?: number }): Promise<void> {
    const { diskBytes, processes } = this.limits;
    if (Number(container.SizeRw ?? 0) > diskBytes)
      this.#end(`A step of the build wrote more than ${megabytes(diskBytes)} MB.`);
    if (this.#bounded.has(container.Id)) return;
    await this.connection.call({ timeoutMs: CALL_MS, signal: this.signal }, (docker) =>
      docker.getContainer(container.Id).update({ PidsLimit: processes }),
    );
    this.#bounded.add(container.Id);
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

function megabytes(bytes: number): number {
  return Math.max(1, Math.round(bytes / 1024 / 1024));
}
