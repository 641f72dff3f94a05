import { z } from 'zod';
import type { Uuid } from '#kernel/crypto/uuid';
import { visibleText } from '#kernel/text/visible-text';
import { METRICS_RANGES } from '#libs/services';
import type { MonitoringRequests } from '../../monitoring/monitoring-requests.js';
import type { LogRedaction } from '../output/log-redaction.js';
import { UNTRUSTED_NOTICE } from '../output/untrusted-text.js';
import { serviceId, time } from './schemas.js';
import { READS, tool, type OfferedTool } from './tool.js';

const MAX_PROBE_LENGTH = 1_000;
const input = z.object({ serviceId });

export function monitoringTools(requests: MonitoringRequests, redactions: LogRedaction): readonly OfferedTool[] {
  return [
    tool({
      name: 'get_metrics',
      title: 'Get metrics',
      description:
        'CPU, memory and network use of a service: current values and a range. `available` is false without a ' +
        'recent sample.',
      anyOf: ['services.metrics:read'],
      input: input.extend({ range: z.enum(METRICS_RANGES).optional().describe('One hour by default.') }),
      output: z.looseObject({
        serviceId: z.string(),
        available: z.boolean(),
        sampledAt: time.nullable(),
        stepSeconds: z.number(),
        current: z.looseObject({ cpuPct: z.number(), ramPct: z.number() }).nullable(),
        series: z.array(z.looseObject({ t: time, cpuPct: z.number(), ramPct: z.number() })),
      }),
      annotations: READS,
      target: (args) => args.serviceId,
      run: ({ scope }, args) => requests.metrics(scope, args.serviceId as Uuid, { range: args.range }),
    }),
    tool({
      name: 'get_health',
      title: 'Get health',
      description: 'The health of each container, its restarts and exit codes, and what the panel did about it.',
      anyOf: ['services.metrics:read'],
      input,
      output: z.looseObject({
        serviceId: z.string(),
        status: z.enum(['healthy', 'unhealthy', 'starting', 'none', 'unknown']),
        checkedAt: time.nullable(),
        containers: z.array(z.looseObject({ name: z.string(), state: z.string(), health: z.string() })),
      }),
      annotations: READS,
      notice: `${UNTRUSTED_NOTICE} This applies to the output of the last probes.`,
      target: (args) => args.serviceId,
      run: async ({ scope }, args) => {
        const id = args.serviceId as Uuid;
        const health = await requests.health(scope, id);
        const redaction = await redactions.of(id);
        const shown = (output: string) => redaction.text(visibleText(output), MAX_PROBE_LENGTH);
        const containers = health.containers.map((container) => ({
          ...container,
          lastProbe: container.lastProbe && {
            ...container.lastProbe,
            output: shown(container.lastProbe.output),
          },
        }));
        return { ...health, containers };
      },
    }),
    tool({
      name: 'get_disk_usage',
      title: 'Get disk usage',
      description: "Disk usage of a service's volumes, containers and images, measured every five minutes.",
      anyOf: ['services.metrics:read'],
      input,
      output: z.looseObject({
        serviceId: z.string(),
        available: z.boolean(),
        limitBytes: z.number(),
        totalBytes: z.number().nullable(),
        volumes: z.array(z.looseObject({ name: z.string(), bytes: z.number() })),
      }),
      annotations: READS,
      target: (args) => args.serviceId,
      run: ({ scope }, args) => requests.diskUsage(scope, args.serviceId as Uuid),
    }),
  ];
}
