import { z } from 'zod';
import { NotFound } from '#kernel/errors';
import type { Uuid } from '#kernel/crypto/uuid';
import type { LogPages, WatchTargets } from '#libs/services';
import type { LogRedaction } from '../../output/log-redaction.js';
import { UNTRUSTED_NOTICE } from '../../output/untrusted-text.js';
import { serviceId } from '../schemas.js';
import { positionOf } from './log-cursor.js';
import { shownLogs, shownLogsSchema } from './shown-logs.js';
import { READS, tool, type OfferedTool } from '../tool.js';

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
      output: shownLogsSchema,
      annotations: { ...READS, openWorldHint: true },
      notice: UNTRUSTED_NOTICE,
      target: (args) => args.serviceId,
      run: async ({ scope }, { tail = 100, container = null, ...args }) => {
        const id = args.serviceId as Uuid;
        if (!(await targets.services(scope, [id])).has(id)) throw new NotFound();
        const deploymentId = (args.deploymentId ?? null) as Uuid | null;
        const from = args.since === undefined ? null : positionOf(args.since);
        const redaction = await redactions.of(id);
        const page = await logs.read(scope, id, { container, deploymentId, tail, from });
        return shownLogs(page, redaction, from);
      },
    }),
  ];
}
