import { PassThrough } from 'node:stream';
import { createInterface } from 'node:readline';
import { once } from 'node:events';
import type { RunningProgram } from '#libs/services';

/** A database client that stays connected, so that a transaction stays open while others read the same snapshot. */
export class ClientSession {
  readonly #lines: AsyncIterator<string>;

  /**
   * @param echo returns the client's command that prints the given word on a line of its own
   * @param word marks the end of an answer; must not occur in the output of any command
   */
  constructor(
    private readonly program: RunningProgram,
    private readonly input: PassThrough,
    private readonly echo: (word: string) => string,
    private readonly word: string,
  ) {
    this.#lines = createInterface({ input: program.stdout, crlfDelay: Infinity })[Symbol.asyncIterator]();
    this.input.on('error', () => undefined);
  }

  /** @returns the lines that the commands print @throws the error made by `failure` when the client ends instead */
  async ask(commands: string, failure: (end: { exitCode: number; stderrTail: string }) => Error): Promise<string[]> {
    if (!this.input.write(`${commands}\n${this.echo(this.word)}\n`)) await once(this.input, 'drain');
    const lines: string[] = [];
    for (;;) {
      const next = await this.#lines.next();
      if (next.done) throw failure(await this.program.finished);
      if (next.value === this.word) return lines;
      lines.push(next.value);
    }
  }

  /** Ends the client. An open transaction is rolled back. */
  async close(): Promise<void> {
    this.input.end();
    this.program.stdout.resume();
    await this.program.finished.catch(() => undefined);
  }
}
