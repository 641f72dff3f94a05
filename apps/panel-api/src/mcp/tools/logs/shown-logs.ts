import { z } from 'zod';
import { visibleText } from '#kernel/text/visible-text';
import { wholeStamps, type LogPage, type LogPosition } from '#libs/services';
import type { Redaction } from '../../output/redaction.js';
import { MAX_OUTPUT_BYTES } from '../../output/tool-output.js';
import { fitting } from '../fitting.js';
import { cursorOf } from './log-cursor.js';
import { time } from '../schemas.js';

/** Leaves room for the notice and the other fields. */
const MAX_LINES_BYTES = MAX_OUTPUT_BYTES - 8 * 1024;
const MAX_LINE_LENGTH = 4_000;

export const shownLogsSchema = z.object({
  untrusted: z.literal(true),
  lines: z.array(z.object({ at: time, container: z.string(), stream: z.enum(['stdout', 'stderr']), text: z.string() })),
  hasMore: z.boolean().describe('There are more lines than this response contains.'),
  skipped: z.boolean().describe('There were too many lines after `since`: the oldest of them are left out.'),
  next: z.string().nullable().describe('Pass it as `since` to continue.'),
  containers: z.array(z.object({ id: z.string(), name: z.string(), state: z.string() })),
});

type ShownLogs = z.output<typeof shownLogsSchema>;
type Line = LogPage['lines'][number];

/** Truncates the lines to the maximum size: drops the oldest if the newest were requested, otherwise the newest. */
export function shownLogs(page: LogPage, redaction: Redaction, from: LogPosition | null): ShownLogs {
  const show = ({ atMicros, container, stream, text }: Line) => ({
    at: new Date(atMicros / 1000).toISOString(),
    container,
    stream,
    text: redaction.text(visibleText(text), MAX_LINE_LENGTH),
  });
  const { lines } = page;
  const fit = fitting(from === null ? lines.toReversed() : lines, MAX_LINES_BYTES, show);
  const end = from === null ? { count: fit.length, next: newest(lines) } : endOf(lines, fit.length, from);
  const shown = fit.slice(0, end.count);
  return {
    untrusted: true,
    lines: from === null ? shown.toReversed() : shown,
    hasMore: page.hasMore || shown.length < lines.length,
    skipped: page.isCut,
    next: end.next,
    containers: [...page.containers],
  };
}

function newest(lines: readonly Line[]): string | null {
  const last = lines.at(-1);
  return last ? cursorOf(last.atMicros, null) : null;
}

/** A response ends between two times if it can. If the lines of one time alone are too large, it ends within them. */
function endOf(lines: readonly Line[], count: number, from: LogPosition): { count: number; next: string } {
  const whole = wholeStamps(lines, count);
  const isWhole = whole.length <= count;
  const last = lines[(isWhole ? whole.length : count) - 1];
  if (!last) return { count: 0, next: cursorOf(from.atMicros, from.skip) };
  if (isWhole) return { count: whole.length, next: cursorOf(last.atMicros, null) };
  const shownBefore = from.atMicros === last.atMicros ? from.skip : 0;
  return { count, next: cursorOf(last.atMicros, shownBefore + count) };
}
