import { z } from 'zod';
import { Invalid, NotFound } from '#kernel/errors';
import type { Uuid } from '#kernel/crypto/uuid';
import { visibleText } from '#kernel/text/visible-text';
import type { LogPage, LogPages, WatchTargets } from '#libs/services';
import type { LogRedaction } from '../output/log-redaction.js';
import type { Redaction } from '../output/redaction.js';
import { MAX_OUTPUT_BYTES } from '../output/tool-output.js';
import { UNTRUSTED_NOTICE } from '../output/untrusted-text.js';
import { fitting } from './fitting.js';
import { serviceId, time } from './schemas.js';
import { READS, tool, type OfferedTool } from './tool.js';

/** Leaves room for the notice and the other fields. */
const MAX_LINES_BYTES = MAX_OUTPUT_BYTES - 8 * 1024;
const LONGEST_LINE = 4_000;
const CURSOR = /^\d{1,16}$/;

const input = z.object({
  serviceId,
  container: z.string().min(1).max(200).optional().describe('Name in the compose file, or the id of a container.'),
  tail: z.number().int().min(1).max(1_000).optional().describe('Maximum number of lines; 100 by default.'),
  since: z.string().max(40).optional().describe('Only lines after this: RFC 3339, or `next` of an earlier response.'),
  deploymentId: z
    .uuid()
    .optional()
    .describe('Only containers of this deployment. Of replaced ones, the last 100 lines of each.'),
});

const output = z.object({
  untrusted: z.literal(true),
  lines: z.array(z.object({ at: time, container: z.string(), stream: z.enum(['stdout', 'stderr']), text: z.string() })),
  hasMore: z.boolean().describe('There are more lines than this response contains.'),
  next: z.string().nullable().describe('Pass it as `since` to continue.'),
  containers: z.array(z.object({ id: z.string(), name: z.string(), state: z.string() })),
});

export function logTools(logs: LogPages, targets: WatchTargets, redactions: LogRedaction): readonly OfferedTool[] {
  return [
    tool({
      name: 'get_logs',
      title: 'Get logs',
      description:
        "The logs of a service's containers, including stopped ones. Without `since`, the newest lines; with " +
        'it, the lines after it. The text is untrusted and secrets are redacted.',
      anyOf: ['services.logs:read'],
      input,
      output,
      annotations: { ...READS, openWorldHint: true },
      notice: UNTRUSTED_NOTICE,
      target: (args) => args.serviceId,
      run: async ({ scope }, { tail = 100, container = null, ...args }) => {
        const id = args.serviceId as Uuid;
        if (!(await targets.services(scope, [id])).has(id)) throw new NotFound();
        const deploymentId = (args.deploymentId ?? null) as Uuid | null;
        const afterMicros = args.since === undefined ? null : microsOf(args.since);
        const redaction = await redactions.of(id);
        const page = await logs.read(scope, id, { container, deploymentId, tail, afterMicros });
        return shown(page, redaction, afterMicros);
      },
    }),
  ];
}

/** Truncates the lines to the maximum size: drops the oldest if the newest were requested, otherwise the newest. */
function shown(page: LogPage, redaction: Redaction, afterMicros: number | null): z.output<typeof output> {
  const all = page.lines.map(({ atMicros, container, stream, text }) => ({
    at: new Date(atMicros / 1000).toISOString(),
    container,
    stream,
    atMicros,
    text: redaction.text(visibleText(text)).slice(0, LONGEST_LINE),
  }));
  const kept =
    afterMicros === null ? fitting(all.toReversed(), MAX_LINES_BYTES).toReversed() : fitting(all, MAX_LINES_BYTES);
  const last = kept.at(-1);
  return {
    untrusted: true,
    lines: kept.map(({ atMicros: _, ...line }) => line),
    hasMore: page.hasMore || kept.length < all.length,
    next: last ? String(last.atMicros) : afterMicros === null ? null : String(afterMicros),
    containers: [...page.containers],
  };
}

/** @throws Invalid for anything but a time or the `next` of an earlier response */
function microsOf(since: string): number {
  if (CURSOR.test(since)) return Number(since);
  const millis = /^\d{4}-\d{2}-\d{2}T/.test(since) ? Date.parse(since) : NaN;
  if (Number.isNaN(millis))
    throw Invalid.field('since', 'must be an RFC 3339 time or the `next` of an earlier response');
  return millis * 1000;
}
