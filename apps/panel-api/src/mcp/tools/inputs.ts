import { z } from 'zod';

export const composeYaml = z.string().min(1).max(262_144).describe('A compose file.');

export const variables = z
  .record(z.string(), z.string().nullable())
  .optional()
  .describe(
    'Values by name; null removes one in an update. Omitted passwords are generated if the template generates them.',
  );

export const resourceLimits = z
  .object({
    cpuCores: z.number().optional(),
    memoryMb: z.number().int().optional(),
    diskMb: z.number().int().optional(),
  })
  .optional()
  .describe('Limits for all containers together.');

/** Arguments of all kinds of changes. Each kind validates its own with the rules of its REST route. */
export const changeInputs = {
  serviceId: z.uuid().optional().describe('The service to change.'),
  templateId: z.uuid().optional().describe('Only for the kind `template`.'),
  name: z.string().max(200).optional(),
  description: z.string().max(2_000).nullable().optional(),
  customerId: z.uuid().nullable().optional().describe('Administrators only: the organisation of a new service.'),
  gitRepoUrl: z.string().max(1_024).optional().describe('Only for the kind `git`: an https or ssh address.'),
  gitBranch: z.string().max(255).optional(),
  buildMethod: z.string().max(20).optional().describe('auto, dockerfile or nixpacks.'),
  port: z.number().int().optional().describe('The port that the program listens on.'),
  deployKey: z.string().max(16_384).optional().describe('A private key for ssh. No response shows it.'),
  knownHosts: z.string().max(16_384).optional(),
  dockerfilePath: z.string().max(1_024).optional(),
  baseDirectory: z.string().max(1_024).optional(),
  watchPaths: z.array(z.string().max(512)).max(100).optional(),
  buildArgs: z.record(z.string(), z.string()).optional(),
  volumes: z
    .array(z.object({ name: z.string(), path: z.string() }))
    .max(20)
    .optional(),
  ref: z.string().max(255).optional().describe('Kind `git` with a serviceId: the branch, tag or commit to deploy.'),
  composeYaml: composeYaml.optional(),
  variables,
  resourceLimits,
  backupId: z.uuid().optional().describe('Only for the kind `restore`: a backup of the service.'),
  into: z.string().max(10).optional().describe('Kind `restore`: new (the default) or same.'),
  confirm: z.string().max(200).optional().describe('Kind `restore` into the same service: its name.'),
};
