import type { LogPage } from '#libs/services';
import { Redaction } from '../output/redaction.js';
import { MAX_OUTPUT_BYTES } from '../output/tool-output.js';
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

const pageAfter = (afterMicros: number): LogPage => ({
  lines: LINES.filter(({ atMicros }) => atMicros > afterMicros),
  hasMore: false,
  containers: [],
});

describe('the lines of a log that a tool shows', () => {
  it('come out completely, page by page, also where several have the same time', () => {
    const seen: string[] = [];
    let after = 0;
    for (let pages = 0; pages < 20; pages += 1) {
      const { lines, hasMore, next } = shownLogs(pageAfter(after), REDACTION, after);
      expect(Buffer.byteLength(JSON.stringify(lines))).toBeLessThanOrEqual(MAX_OUTPUT_BYTES);
      seen.push(...lines.map(({ text }) => text.split(' ')[0]!));
      after = Number(next);
      if (!hasMore) break;
    }
    expect(seen).toEqual(LINES.map((_, n) => String(n)));
  });

  it('are the newest when no time is given, and hold no secret', () => {
    const { lines, hasMore } = shownLogs(pageAfter(0), REDACTION, null);
    expect([lines.at(-1)?.text.split(' ')[0], hasMore]).toEqual(['199', true]);
    expect(JSON.stringify(lines)).not.toContain('canary');
  });

  it('of one time that are too large together are cut', () => {
    const lines = LINES.map((line) => ({ ...line, atMicros: 5 }));
    const shown = shownLogs({ lines, hasMore: false, containers: [] }, REDACTION, 1);
    expect([shown.lines.length > 10, shown.lines.length < 200, shown.hasMore]).toEqual([true, true, true]);
  });
});
