import { z } from 'zod';
import type { Uuid } from '#kernel/crypto/uuid';
import type { ChangeDesk } from '../changes/change-desk.js';
import { effects } from '../changes/planned-change.js';
import { ConfirmationRequired } from '../output/tool-error.js';
import { MAX_OUTPUT_BYTES } from '../output/tool-output.js';
import { changeInputs } from './inputs.js';
import { confirm, time } from './schemas.js';
import { CHANGES, READS, tool, type OfferedTool } from './tool.js';

const MAX_WARNINGS = 50;
const MAX_SUMMARY_LENGTH = MAX_OUTPUT_BYTES / 64;

const warning = z.object({ path: z.string(), code: z.string(), message: z.string() });

export function changeTools(desk: ChangeDesk): readonly OfferedTool[] {
  const kinds = desk.changes.map(({ kind }) => kind);
  const anyOf = [...new Set(desk.changes.flatMap((change) => change.anyOf))];
  return [
    tool({
      name: 'plan_change',
      title: 'Plan a change',
      description:
        `Describes everything that a change would do, and changes nothing. Kinds: ${kinds.join(', ')}. The other ` +
        'arguments are the body of the REST route, in camelCase. Show the effects to the user, then call apply_change.',
      anyOf,
      input: z.object({ kind: z.enum(kinds), ...changeInputs }),
      output: z.object({
        planId: z.string(),
        expiresAt: time,
        summary: z.string(),
        effects,
        warnings: z.array(warning),
      }),
      annotations: { ...READS, readOnlyHint: true },
      target: ({ kind, serviceId, templateId }) => [kind, serviceId, templateId].filter(Boolean).join(' '),
      run: async (access, { kind, ...request }) => {
        const { summary, warnings, ...plan } = await desk.plan(access, kind, request);
        return { ...plan, summary: summary.slice(0, MAX_SUMMARY_LENGTH), warnings: warnings.slice(0, MAX_WARNINGS) };
      },
    }),
    tool({
      name: 'apply_change',
      title: 'Apply a planned change',
      description:
        'Carries out exactly what plan_change described, once, within ten minutes and with the same key. ' +
        'Refused as plan_outdated if something has changed since. Needs confirm: true.',
      anyOf,
      input: z.object({ planId: z.uuid(), confirm }),
      output: z.looseObject({ kind: z.string(), status: z.string() }),
      annotations: CHANGES,
      target: ({ planId }) => planId,
      run: async (access, { planId, confirm }) => {
        if (confirm !== true) throw new ConfirmationRequired('The planned change will be carried out.');
        const { kind, result } = await desk.apply(access, planId as Uuid);
        return { kind, ...result };
      },
    }),
  ];
}
