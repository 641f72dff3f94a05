import { z } from 'zod';

export const composeYaml = z.string().min(1).max(262_144).describe('A compose file.');

export const variables = z
  .record(z.string(), z.string().nullable())
  .optional()
  .describe(
    'Values by name; null takes one away in an update. Passwords that are left out are generated where a template generates them.',
  );

export const resourceLimits = z
  .object({
    cpuCores: z.number().optional(),
    memoryMb: z.number().int().optional(),
    diskMb: z.number().int().optional(),
  })
  .optional()
  .describe('What all containers together may use.');

/** Arguments of all kinds of changes; each kind reads its own and is as strict about them as its REST route. */
export const changeInputs = {
  serviceId: z.uuid().optional().describe('The service that is changed.'),
  templateId: z.uuid().optional().describe('For the kind template.'),
  name: z.string().max(200).optional(),
  description: z.string().max(2_000).nullable().optional(),
  customerId: z.uuid().nullable().optional().describe('Administrators only: the organisation of a new service.'),
  composeYaml: composeYaml.optional(),
  variables,
  resourceLimits,
};
