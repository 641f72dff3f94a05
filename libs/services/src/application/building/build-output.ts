import type { RunningOperation } from '../deploying/running-operation.js';
import type { LogSource } from '../ports/deployment-log.js';

const FLUSH_MS = 500;
const MAX_LINE = 2_000;
/** So much from the beginning is kept, and so much from the end. */
const HEAD_BYTES = 128 * 1024;
const TAIL_BYTES = 120 * 1024;

interface Line {
  readonly text: string;
  readonly source: LogSource;
}

/**
 * What a build says, as lines in the log of its deployment: the first part as it comes, and of a build that says too
 * much the last part when it is over. Nothing that it says holds the build up.
 */
export class BuildOutput {
  readonly #timer: NodeJS.Timeout;
  #open = '';
  #tail: Line[] = [];
  #bytes = 0;
  #tailBytes = 0;
  #leftOut = 0;

  constructor(private readonly run: Pick<RunningOperation, 'log' | 'flushLog'>) {
    // What cannot be stored now is stored with the next write.
    this.#timer = setInterval(() => void run.flushLog().catch(() => undefined), FLUSH_MS);
  }

  /** Any part of lines, with whatever a terminal would make of them. */
  write(text: string): void {
    const lines = (this.#open + plain(text)).split('\n');
    this.#open = (lines.pop() ?? '').slice(-MAX_LINE);
    for (const line of lines) this.#add(line, 'build');
  }

  /** A line of the panel's own. */
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

/** Without colours and control characters; a carriage return begins the line anew, as a progress bar does. */
function plain(text: string): string {
  return text
    .replace(/\x1b\[[0-9;?]*[A-Za-z]/g, '')
    .replace(/\r\n?/g, '\n')
    .replace(/[\x00-\x08\x0b-\x1f\x7f]/g, '');
}
