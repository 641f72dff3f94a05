import { z } from 'zod';
import type { TemplateRequests } from '../../templates/template-requests.js';
import type { TemplateChange } from '../changes/template-change.js';
import { ConfirmationRequired } from '../output/tool-error.js';
import { resourceLimits, variables } from './inputs.js';
import { accepted, confirm } from './schemas.js';
import { CREATES, READS, tool, type OfferedTool } from './tool.js';

export function templateTools(requests: TemplateRequests, change: TemplateChange): readonly OfferedTool[] {
  return [
    tool({
      name: 'list_templates',
      title: 'List templates',
      description: 'The databases that can be deployed, with their variables and minimum memory.',
      anyOf: ['templates:read'],
      input: z.object({}),
      output: z.object({
        data: z.array(
          z.looseObject({
            id: z.string(),
            slug: z.string(),
            name: z.string(),
            version: z.string(),
            minRamMb: z.number(),
            variables: z.array(z.looseObject({ name: z.string(), required: z.boolean() })),
          }),
        ),
      }),
      annotations: READS,
      run: () => Promise.resolve(requests.list()),
    }),
    tool({
      name: 'deploy_template',
      title: 'Deploy a template',
      description: 'Creates a database. Passwords are generated and never shown here. Needs confirm: true.',
      anyOf: ['templates:deploy'],
      input: z.object({
        templateId: z.uuid(),
        name: z.string().min(1).max(200),
        description: z.string().max(2_000).nullable().optional(),
        customerId: z.uuid().nullable().optional().describe('Administrators only.'),
        variables,
        resourceLimits,
        confirm,
      }),
      output: accepted,
      annotations: CREATES,
      target: ({ templateId }) => templateId,
      run: async (access, { confirm, ...request }) => {
        const { summary } = await change.describe(access, request);
        if (confirm !== true) throw new ConfirmationRequired(summary);
        return change.apply(access, request);
      },
    }),
  ];
}
