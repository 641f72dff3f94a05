import type { RunningOperation } from '../deploying/running-operation.js';
import type { LogSource } from '../ports/deployment-log.js';

const FLUSH_MS = 500;
const MAX_LINE = 2_000;
/** How much of the beginning and of the end of the output is kept. */
const HEAD_BYTES = 128 * 1024;
const TAIL_BYTES = 120 * 1024;

interface Line {
  readonly text: string;
  readonly source: LogSource;
}

/**
 * Writes the output of a build to the log of its deployment: the first part as it arrives and, if the output is too
 * long, the last part at the end. Storing the log never slows the build down.
 */
export class BuildOutput {
  readonly #timer: NodeJS.Timeout;
  #open = '';
  #tail: Line[] = [];
  #bytes = 0;
  #tailBytes = 0;
  #leftOut = 0;

  constructor(private readonly run: Pick<RunningOperation, 'log' | 'flushLog'>) {
    // If storing fails, the lines are stored with the next write.
    this.#timer = setInterval(() => void run.flushLog().catch(() => undefined), FLUSH_MS);
  }

  /** Takes raw output: partial lines and terminal control sequences. */
  write(text: string): void {
    const lines = (this.#open + plain(text)).split('\n');
    this.#open = (lines.pop() ?? '').slice(-MAX_LINE);
    for (const line of lines) this.#add(line, 'build');
  }

  /** Adds a line of the panel itself. */
  say(text: string): void {
    for (const line of text.split('\n')) this.#add(line, 'panel');
  }

  end(): void {
    clearInterval(this.#timer);
    if (this.#open.trim() !== '') this.#add(this.#open, 'build');
    if (this.#leftOut > 0) this.run.log(`… ${this.#leftOut} lines are left out …`);
    for (const { text, source } of this.#tail) this.run.log(text, { source });
  }

  #add(whole: string, source: LogSource): void {
    const text = whole.trimEnd().slice(0, MAX_LINE);
    const bytes = text.length + 1;
    if (this.#bytes + bytes <= HEAD_BYTES) {
      this.#bytes += bytes;
      this.run.log(text, { source });
      return;
    }
    this.#tail.push({ text, source });
    this.#tailBytes += bytes;
    while (this.#tailBytes > TAIL_BYTES) {
      this.#tailBytes -= this.#tail.shift()!.text.length + 1;
      this.#leftOut += 1;
    }
  }
}

/** Removes colours and control characters. After a carriage return the line starts again, as for progress bars. */
function plain(text: string): string {
  return text
    .replace(/\x1b\[[0-9;?]*[A-Za-z]/g, '')
    .replace(/\r\n?/g, '\n')
    .replace(/[\x00-\x08\x0b-\x1f\x7f]/g, '');
}
