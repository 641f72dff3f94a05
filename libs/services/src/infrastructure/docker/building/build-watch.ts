import type { Operation } from '../../../application/ports/engine/container-runtime.js';
import { BuildFailed, type BuildLimits } from '../../../application/ports/git/image-builder.js';

/** Enforces the limits of time, silence and output. When one is exceeded, `signal` ends the build. */
export class BuildWatch {
  readonly signal: AbortSignal;
  readonly #over = new AbortController();
  readonly #total: NodeJS.Timeout;
  readonly #silence: NodeJS.Timeout;
  #heard = 0;

  constructor(
    private readonly limits: BuildLimits,
    { signal }: Operation,
  ) {
    this.signal = signal ? AbortSignal.any([signal, this.#over.signal]) : this.#over.signal;
    const { totalMs, silenceMs } = limits;
    this.#total = setTimeout(() => this.exceed(`The build took longer than ${totalMs / 1000} s.`), totalMs);
    this.#silence = setTimeout(() => this.exceed(`The build produced no output for ${silenceMs / 1000} s.`), silenceMs);
  }

  heard(text: string): void {
    this.#silence.refresh();
    this.#heard += text.length;
    const { outputBytes } = this.limits;
    if (this.#heard > outputBytes) this.exceed(`The build produced more than ${megabytes(outputBytes)} MB of output.`);
  }

  /** Ends the build with this reason. */
  exceed(text: string): void {
    this.#over.abort(new BuildFailed(text));
  }

  end(): void {
    clearTimeout(this.#total);
    clearTimeout(this.#silence);
  }
}

export function megabytes(bytes: number): number {
  return Math.max(1, Math.round(bytes / 1024 / 1024));
}
