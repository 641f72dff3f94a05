import { readdirSync, readFileSync } from 'node:fs';

const EVERY_MS = 30;

/** Collects what `ps` shows about all processes of this machine, including their environments, by polling. */
export class ProcessList {
  readonly #seen = new Set<string>();
  readonly #timer = setInterval(() => this.#look(), EVERY_MS).unref();

  /** Whether one command line or environment contained all of these texts. */
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
          // The process has exited or belongs to another user.
        }
      }
  }
}
