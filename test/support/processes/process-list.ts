import { readdirSync, readFileSync } from 'node:fs';

const EVERY_MS = 30;

/** What `ps` shows of every process of this machine, with its environment, looked at again and again. */
export class ProcessList {
  readonly #seen = new Set<string>();
  readonly #timer = setInterval(() => this.#look(), EVERY_MS).unref();

  /** Whether a process with all of these texts was seen. */
  saw(...texts: readonly string[]): boolean {
    return [...this.#seen].some((seen) => texts.every((text) => seen.includes(text)));
  }

  /** @returns everything that was seen */
  end(): readonly string[] {
    clearInterval(this.#timer);
    return [...this.#seen];
  }

  #look(): void {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
      for (const file of ['cmdline', 'environ']) {
        try {
          this.#seen.add(readFileSync(`/proc/${pid}/${file}`, 'latin1'));
        } catch {
          // It has ended, or is somebody else's.
        }
      }
  }
}
