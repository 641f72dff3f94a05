import { LogStream } from './log-stream.js';

const STAMP = '2026-01-01T00:00:00.123456789Z';
const MICROS = Date.UTC(2026, 0, 1) * 1000 + 123_456;

function frame(stream: number, text: string): Buffer {
  const body = Buffer.from(text);
  const header = Buffer.alloc(8);
  header[0] = stream;
  header.writeUInt32BE(body.length, 4);
  return Buffer.concat([header, body]);
}

/** The same bytes in pieces of one size. */
const inPieces = (stream: LogStream, bytes: Buffer, size: number) => {
  const lines = [];
  for (let at = 0; at < bytes.length; at += size) lines.push(...stream.read(bytes.subarray(at, at + size)));
  return [...lines, ...stream.end()];
};

describe('the stream of a log', () => {
  it.each([1, 2, 3, 7, 8, 9, 64, 100_000])('is the same in pieces of %i bytes', (size) => {
    const bytes = Buffer.concat([
      frame(1, `${STAMP} Grüße 🎉\n`),
      frame(2, `${STAMP} <script>\u001b[31m\n`),
      frame(1, `${STAMP} \n`),
      frame(1, `${STAMP} ${'x'.repeat(16_384)}`),
    ]);
    const lines = inPieces(new LogStream('c', false), bytes, size);
    expect(lines.map(({ stream, text }) => [stream, text])).toEqual([
      ['stdout', 'Grüße 🎉'],
      ['stderr', '<script>\u001b[31m'],
      ['stdout', ''],
      ['stdout', 'x'.repeat(16_384)],
    ]);
    expect(new Set(lines.map(({ atMicros }) => atMicros))).toEqual(new Set([MICROS]));
  });

  it.each([1, 5, 100_000])('of a terminal has lines alone, in pieces of %i bytes', (size) => {
    const bytes = Buffer.from(`${STAMP} one\r\n${STAMP} zwölf\r\n${STAMP} rest`);
    expect(inPieces(new LogStream('c', true), bytes, size).map(({ text }) => text)).toEqual(['one', 'zwölf', 'rest']);
  });

  it('drops lines without a timestamp, and truncates long ones', () => {
    const stream = new LogStream('c', false);
    const lines = stream.read(
      Buffer.concat([frame(2, 'error from daemon'), frame(1, `${STAMP} ${'y'.repeat(40_000)}`)]),
    );
    expect(lines.map(({ text }) => text.length)).toEqual([16_384]);
  });
});
