import { BuildFailed, type BuildLimits } from '../../../../../libs/services/src/application/ports/git/image-builder.js';

/** Enforces the limits for duration, silence and output. */
export class FakeWatch {
  readonly #over = new AbortController();
  readonly #total: NodeJS.Timeout;
  readonly #silence: NodeJS.Timeout;
  readonly signal: AbortSignal;
  #heard = 0;

  constructor(
    private readonly limits: BuildLimits,
    cancelled: AbortSignal | undefined,
  ) {
    const { totalMs, silenceMs } = limits;
    this.signal = cancelled ? AbortSignal.any([cancelled, this.#over.signal]) : this.#over.signal;
    this.#total = setTimeout(() => this.#end(`The build took longer than ${totalMs / 1000} s.`), totalMs);
    this.#silence = setTimeout(() => this.#end(`The build produced no output for ${silenceMs / 1000} s.`), silenceMs);
  }

  heard(text: string): void {
    this.#silence.refresh();
    this.#heard += text.length;
    const { outputBytes } = this.limits;
    if (this.#heard > outputBytes)
      this.#end(`The build produced more than ${Math.round(outputBytes / 1024 / 1024)} MB of output.`);
  }

  end(): void {
    clearTimeout(this.#total);
    clearTimeout(this.#silence);
  }

  #end(text: string): void {
    this.#over.abort(new BuildFailed(text));
  }
}
