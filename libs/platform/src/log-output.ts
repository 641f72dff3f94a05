import { writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';

const STDOUT = 1;
/** Maximum of buffered output for a slow reader; more is dropped. */
const MAX_QUEUE_LENGTH = 4 * 1024 * 1024;
const RETRY_MS = 20;

type Write = (bytes: Buffer) => number;

/**
 * Writes stdout once in each turn of the event loop and when the process exits. A line is lost only if the process is
 * killed in the same turn; handing lines to a thread would cost more than writing them. A full disk or a reader that
 * went away does not end the process: lines are dropped and counted, and their number is logged once there is room.
 */
export class LogOutput implements DestinationStream {
  dropped = 0;
  private droppedLines = 0;
  private lines = '';
  private rest: Buffer = Buffer.alloc(0);
  private scheduled = false;

  constructor(private readonly writeOut: Write = (bytes) => writeSync(STDOUT, bytes)) {}

  write(line: string): void {
    this.lines += line;
    if (!this.scheduled) this.schedule(() => setImmediate(this.flush));
  }

  readonly flush = (): void => {
    this.scheduled = false;
    const lines = this.lines;
    this.lines = '';
    if (this.rest.length > MAX_QUEUE_LENGTH) this.drop(lines);
    else if (this.rest.length > 0) this.rest = Buffer.concat([this.rest, Buffer.from(lines)]);
    else this.rest = Buffer.from(this.notice() + lines);
    this.empty();
  };

  private empty(): void {
    try {
      while (this.rest.length > 0) this.rest = this.rest.subarray(this.writeOut(this.rest));
      this.droppedLines = 0;
    } catch (error) {
      // EAGAIN means a slow reader; any other error means that these lines are lost.
      if ((error as { code?: string }).code === 'EAGAIN') return this.schedule(() => setTimeout(this.flush, RETRY_MS));
      this.drop(this.rest.toString('utf8'));
      this.rest = Buffer.alloc(0);
    }
  }

  private schedule(begin: () => unknown): void {
    this.scheduled = true;
    begin();
  }

  private drop(text: string): void {
    const count = text.split('\n').filter((line) => line !== '' && !line.includes(NOTICE)).length;
    this.dropped += count;
    this.droppedLines += count;
  }

  private notice(): string {
    if (this.droppedLines === 0) return '';
    const record = { level: 'warn', time: new Date().toISOString(), dropped: this.droppedLines, msg: NOTICE };
    return `${JSON.stringify(record)}\n`;
  }
}

const NOTICE = 'log lines were dropped because stdout could not be written';

/** The one stdout of this process. */
export const logOutput = new LogOutput();
process.on('exit', logOutput.flush);
