import type { LogLine } from '../../../application/ports/engine/container-logs.js';

const HEADER_BYTES = 8;
const STDERR = 2;
const MAX_TEXT_LENGTH = 16 * 1024;
const LINE_FEED = 0x0a;

/** One entry of the container's log, with the engine's timestamp in front. */
interface Piece {
  readonly stream: LogLine['stream'];
  readonly bytes: Buffer;
}

/**
 * Splits the engine's answer into entries, wherever the chunks break. Without a terminal every entry has a header with
 * its stream and length; with a terminal there are only lines.
 */
export class LogStream {
  #rest: Buffer = Buffer.alloc(0);
  #second = '';
  #secondMicros = 0;

  constructor(
    private readonly containerId: string,
    private readonly hasTerminal: boolean,
  ) {}

  /** The entries that are complete so far. */
  read(chunk: Buffer): LogLine[] {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const pieces = this.hasTerminal ? this.lines(bytes) : this.frames(bytes);
    return pieces.flatMap((piece) => this.toLine(piece) ?? []);
  }

  /** The rest without a line end, at the end of the answer. */
  end(): LogLine[] {
    const bytes = this.#rest;
    this.#rest = Buffer.alloc(0);
    if (!this.hasTerminal || bytes.length === 0) return [];
    return [this.toLine({ stream: 'stdout', bytes })].filter((line) => line !== null);
  }

  private frames(bytes: Buffer): Piece[] {
    const pieces: Piece[] = [];
    let at = 0;
    while (bytes.length - at >= HEADER_BYTES) {
      const end = at + HEADER_BYTES + bytes.readUInt32BE(at + 4);
      if (end > bytes.length) break;
      const stream = bytes[at] === STDERR ? 'stderr' : 'stdout';
      pieces.push({ stream, bytes: bytes.subarray(at + HEADER_BYTES, end) });
      at = end;
    }
    this.#rest = bytes.subarray(at);
    return pieces;
  }

  private lines(bytes: Buffer): Piece[] {
    const pieces: Piece[] = [];
    let at = 0;
    for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, at)) {
      pieces.push({ stream: 'stdout', bytes: bytes.subarray(at, end) });
      at = end + 1;
    }
    this.#rest = bytes.subarray(at);
    return pieces;
  }

  /** Null without a timestamp: such a line is from the engine, not from the container. */
  private toLine({ stream, bytes }: Piece): LogLine | null {
    const whole = bytes
      .toString('utf8')
      .replace(/\r?\n$/, '')
      .replace(/\r$/, '');
    const stamp = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z ?/.exec(whole);
    if (!stamp) return null;
    const [front, second, fraction = ''] = stamp;
    const atMicros = this.micros(second!) + Number(fraction.padEnd(6, '0').slice(0, 6));
    const text = whole.slice(front.length, front.length + MAX_TEXT_LENGTH);
    return { containerId: this.containerId, stream, atMicros, text };
  }

  private micros(second: string): number {
    if (second !== this.#second) {
      this.#second = second;
      this.#secondMicros = Date.parse(`${second}Z`) * 1000;
    }
    return this.#secondMicros;
  }
}
