import type { LogPage, LogPosition } from '#libs/services';
import { Redaction } from '../../output/redaction.js';
import { MAX_OUTPUT_BYTES } from '../../output/tool-output.js';
import { positionOf } from './log-cursor.js';
import { shownLogs } from './shown-logs.js';

const REDACTION = new Redaction(['canary-5d1e']);

/** Lines of 1 KB, of which always seven have the same time. */
const LINES = Array.from({ length: 200 }, (_, n) => ({
  atMicros: 1_000_000 + Math.floor(n / 7) * 1_000,
  container: 'web',
  containerId: 'c',
  stream: 'stdout' as const,
  text: `${n} canary-5d1e ${'x'.repeat(1_000)}`,
}));

/** As the application reads them: everything from a position on. */
const pageFrom = ({ atMicros: at, skip }: LogPosition, all = LINES): LogPage => {
  const rest = all.filter(({ atMicros }) => atMicros === at).slice(skip);
  const lines = [...rest, ...all.filter(({ atMicros }) => atMicros > at)];
  return { lines, hasMore: false, isCut: false, containers: [] };
};

/** The number of each line, read page by page. */
const readAll = (all: typeof LINES): string[] => {
  const seen: string[] = [];
  let cursor: string | null = '0';
  for (let pages = 0; pages < 20 && cursor !== null; pages += 1) {
    const from = positionOf(cursor);
    const { lines, hasMore, next } = shownLogs(pageFrom(from, all), REDACTION, from);
    expect(Buffer.byteLength(JSON.stringify(lines))).toBeLessThanOrEqual(MAX_OUTPUT_BYTES);
    seen.push(...lines.map(({ text }) => text.split(' ')[0]!));
    cursor = hasMore ? next : null;
  }
  return seen;
};

describe('the lines of a log that a tool shows', () => {
  it('come out completely, page by page, also where several have the same time', () => {
    expect(readAll(LINES)).toEqual(LINES.map((_, n) => String(n)));
  });

  it('come out completely where those of one time are more than a page', () => {
    const [before, after] = [LINES.slice(0, 10), LINES.slice(190)];
    const together = LINES.slice(10, 190).map((line) => ({ ...line, atMicros: 1_005_000 }));
    const all = [...before.map((line) => ({ ...line, atMicros: 1_000_000 })), ...together, ...after];
    expect(readAll(all)).toEqual(LINES.map((_, n) => String(n)));
  });

  it('are the newest when no time is given, and hold no secret', () => {
    const { lines, hasMore } = shownLogs(pageFrom({ atMicros: 0, skip: 0 }), REDACTION, null);
    expect([lines.at(-1)?.text.split(' ')[0], hasMore]).toEqual(['199', true]);
    expect(JSON.stringify(lines)).not.toContain('canary');
  });

  it('show where a long one was cut, and a cursor that reads nothing stays where it is', () => {
    const long = [{ ...LINES[0]!, text: 'y'.repeat(5_000) }];
    const from = { atMicros: 7, skip: 3 };
    expect(shownLogs(pageFrom(from, long), REDACTION, from).lines[0]!.text).toBe(`${'y'.repeat(4_000)}…`);
    expect(shownLogs(pageFrom(from, []), REDACTION, from)).toMatchObject({ lines: [], next: '7:3' });
  });
});
