import { PassThrough } from 'node:stream';
import { createInterface } from 'node:readline';
import { once } from 'node:events';
import type { RunningProgram } from '#libs/services';

/** A client of the database that stays connected: it holds a transaction open while others read the same state. */
export class ClientSession {
  readonly #lines: AsyncIterator<string>;

  /** @param echo a command of the client that prints the given word on a line of its own */
  constructor(
    private readonly program: RunningProgram,
    private readonly input: PassThrough,
    private readonly echo: (word: string) => string,
    private readonly word: string,
  ) {
    this.#lines = createInterface({ input: program.stdout, crlfDelay: Infinity })[Symbol.asyncIterator]();
    this.input.on('error', () => undefined);
  }

  /** @returns the lines that the commands print @throws when the client ends instead */
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

  /** The transaction, if one is open, is rolled back. */
  async close(): Promise<void> {
    this.input.end();
    this.program.stdout.resume();
    await this.program.finished.catch(() => undefined);
  }
}
