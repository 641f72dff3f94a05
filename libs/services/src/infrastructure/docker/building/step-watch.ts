import type { ContainerInfo } from 'dockerode';
import type { BuildLimits } from '../../../application/ports/git/image-builder.js';
import type { EngineConnection } from '../engine/engine-connection.js';
import { megabytes, type BuildWatch } from './build-watch.js';

const LOOK_MS = 1_000;
const CALL_MS = 3_000;

/** Enforces limits that the engine's classic builder lacks: the number of processes and how much a step writes. */
export class StepWatch {
  readonly #looks: NodeJS.Timeout;
  readonly #bounded = new Set<string>();
  #isLooking = false;
  #isAskedAgain = false;

  constructor(
    private readonly connection: EngineConnection,
    private readonly network: string,
    private readonly limits: BuildLimits,
    private readonly watch: BuildWatch,
  ) {
    this.#looks = setInterval(() => void this.look(), LOOK_MS);
  }

  end(): void {
    clearInterval(this.#looks);
  }

  /**
   * Limits the containers in the network of builds, where one build runs at a time. The build's own output is not used
   * to find its containers, because it could name those of others.
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
    } while (this.#isAskedAgain && !this.watch.signal.aborted);
    this.#isLooking = false;
  }

  /** Includes containers that do not run yet, so that a step is limited before it can start many processes. */
  async #lookOnce(): Promise<void> {
    const found = await this.connection.call({ timeoutMs: CALL_MS * 3, signal: this.watch.signal }, (docker) =>
      docker.listContainers({ all: true, size: true, filters: { network: [this.network] } }),
    );
    for (const container of found) await this.#quietly(() => this.#bound(container));
  }

  async #bound(container: ContainerInfo & { readonly SizeRw?: number }): Promise<void> {
    const { diskBytes, processes } = this.limits;
    if (Number(container.SizeRw ?? 0) > diskBytes)
      this.watch.exceed(`A step of the build wrote more than ${megabytes(diskBytes)} MB.`);
    if (this.#bounded.has(container.Id)) return;
    await this.connection.call({ timeoutMs: CALL_MS, signal: this.watch.signal }, (docker) =>
      docker.getContainer(container.Id).update({ PidsLimit: processes }),
    );
    this.#bounded.add(container.Id);
  }

  /** A container that has been removed in the meantime needs no limit. */
  async #quietly(look: () => Promise<unknown>): Promise<void> {
    try {
      await look();
    } catch {
      // The request of the build itself reports when the engine is unavailable.
    }
  }
}
