import { z } from 'zod';
import type { Uuid } from '#kernel/crypto/uuid';
import { visibleText } from '#kernel/text/visible-text';
import type { ServiceRequests } from '../../services/service-requests.js';
import type { LogRedaction } from '../output/log-redaction.js';
import { UNTRUSTED_NOTICE } from '../output/untrusted-text.js';
import { fitting } from './fitting.js';
import { time } from './schemas.js';
import { READS, tool, type OfferedTool } from './tool.js';

const MAX_LOG_BYTES = 32 * 1024;
const MAX_LINE_LENGTH = 2_000;

/** The stored log of a deployment: its steps, and the last output of containers that it replaced or that failed. */
export function deploymentTools(requests: ServiceRequests, redactions: LogRedaction): readonly OfferedTool[] {
  return [
    tool({
      name: 'get_deployment',
      title: 'Get a deployment',
      description:
        'One deployment with its steps and the newest lines of its log: what it did, and the output of failed ' +
        'containers, even after they were removed.',
      anyOf: ['deployments:read'],
      input: z.object({
        deploymentId: z.uuid(),
        tail: z.number().int().min(0).max(500).optional().describe('Lines of the log; 100 by default.'),
      }),
      output: z.looseObject({
        id: z.string(),
        serviceId: z.string(),
        status: z.string(),
        trigger: z.string(),
        errorMessage: z.string().nullable(),
        createdAt: time,
        finishedAt: time.nullable(),
        log: z.array(z.looseObject({ at: time, step: z.string(), source: z.string(), text: z.string() })),
      }),
      annotations: { ...READS, openWorldHint: true },
      notice: UNTRUSTED_NOTICE,
      target: ({ deploymentId }) => deploymentId,
      run: async ({ scope }, { deploymentId, tail = 100 }) => {
        const id = deploymentId as Uuid;
        const deployment = await requests.deployment(scope, id);
        const { lines } = await requests.log(scope, id, { tail: String(Math.max(1, tail)) });
        const redaction = await redactions.of(deployment.serviceId);
        const shown = (text: string) => redaction.text(visibleText(text), MAX_LINE_LENGTH);
        const newest = tail === 0 ? [] : lines.toReversed();
        const log = fitting(newest, MAX_LOG_BYTES, (line) => ({ ...line, text: shown(line.text) }));
        const { errorMessage } = deployment;
        return {
          ...deployment,
          errorMessage: errorMessage === null ? null : shown(errorMessage),
          log: log.toReversed(),
        };
      },
    }),
  ];
}
