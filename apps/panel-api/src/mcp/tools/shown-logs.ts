import { z } from 'zod';
import { visibleText } from '#kernel/text/visible-text';
import { wholeStamps, type LogPage } from '#libs/services';
import type { Redaction } from '../output/redaction.js';
import { MAX_OUTPUT_BYTES } from '../output/tool-output.js';
import { fitting } from './fitting.js';
import { time } from './schemas.js';

/** Leaves room for the notice and the other fields. */
const MAX_LINES_BYTES = MAX_OUTPUT_BYTES - 8 * 1024;
const MAX_LINE_LENGTH = 4_000;
export const shownLogsSchema = z.object({
  untrusted: z.literal(true),
  lines: z.array(z.object({ at: time, container: z.string(), stream: z.enum(['stdout', 'stderr']), text: z.string() })),
  hasMore: z.boolean().describe('There are more lines than this response contains.'),
  next: z.string().nullable().describe('Pass it as `since` to continue.'),
  containers: z.array(z.object({ id: z.string(), name: z.string(), state: z.string() })),
});

type ShownLogs = z.output<typeof shownLogsSchema>;

/** Truncates the lines to the maximum size: drops the oldest if the newest were requested, otherwise the newest. */
export function shownLogs(page: LogPage, redaction: Redaction, afterMicros: number | null): ShownLogs {
  const all = page.lines.map(({ atMicros, container, stream, text }) => ({
    at: new Date(atMicros / 1000).toISOString(),
    container,
    stream,
    atMicros,
    text: redaction.text(visibleText(text)).slice(0, MAX_LINE_LENGTH),
  }));
  const kept = afterMicros === null ? fitting(all.toReversed(), MAX_LINES_BYTES).toReversed() : oldest(all);
  const last = kept.at(-1);
  return {
    untrusted: true,
    lines: kept.map(({ atMicros: _, ...line }) => line),
    hasMore: page.hasMore || kept.length < all.length,
    next: last ? String(last.atMicros) : afterMicros === null ? null : String(afterMicros),
    containers: [...page.containers],
  };
}

/**
 * The next response begins after the time of the last line, so a response does not end between lines of one time. If
 * the lines of one time alone are too large, those that fit are all there is.
 */
function oldest<Line extends { readonly atMicros: number }>(all: readonly Line[]): Line[] {
  const fit = fitting(all, MAX_LINES_BYTES);
  const whole = wholeStamps(all, fit.length);
  return whole.length > fit.length ? fit : whole;
}
