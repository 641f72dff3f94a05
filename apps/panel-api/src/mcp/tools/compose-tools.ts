import { z } from 'zod';
import { viewPlan, type ServiceIntake, type ServicePlan } from '#libs/services';
import { ComposeSourceDto } from '../../services/create-service.dto.js';
import type { RestBody } from '../changes/rest-body.js';
import { byteLength, MAX_OUTPUT_BYTES } from '../output/tool-output.js';
import { composeYaml, resourceLimits, variables } from './inputs.js';
import { READS, tool, type OfferedTool } from './tool.js';

const MAX_NAMES = 50;
const MAX_WARNINGS = 50;
const MAX_PLAN_BYTES = MAX_OUTPUT_BYTES / 2;

const container = z.object({
  name: z.string(),
  image: z.string(),
  environment: z.array(z.string()).describe('Names only; values are never shown.'),
  volumes: z.array(z.string()),
  ports: z.array(z.string()),
  dependsOn: z.array(z.string()),
});

export function composeTools(intake: ServiceIntake, bodies: RestBody): readonly OfferedTool[] {
  return [
    tool({
      name: 'validate_compose',
      title: 'Validate a compose file',
      description: 'Runs the same checks on a compose file as a deployment, lists every error, and stores nothing.',
      anyOf: ['services:create'],
      input: z.object({ composeYaml, variables, resourceLimits }),
      output: z.object({
        containers: z.array(container),
        networks: z.array(z.string()),
        volumes: z.array(z.string()),
        warnings: z.array(z.object({ path: z.string(), code: z.string(), message: z.string() })),
        plan: z.record(z.string(), z.unknown()).nullable().describe('The whole plan; null if it is too long.'),
      }),
      annotations: READS,
      run: async ({ portsAllowed }, args) => {
        const body = await bodies.parse(ComposeSourceDto, args);
        const source = { composeYaml: body.composeYaml, variables: ComposeSourceDto.values(body), portsAllowed };
        return shown(await intake.validate(source, ComposeSourceDto.limits(body)));
      },
    }),
  ];
}

function shown(plan: ServicePlan): object {
  const whole = viewPlan(plan) as Record<string, unknown>;
  return {
    containers: plan.containers.map(({ name, image, environment, mounts, ports, dependsOn }) => ({
      name,
      image: image.ref,
      environment: [...environment.keys()].slice(0, MAX_NAMES),
      volumes: mounts.slice(0, MAX_NAMES).map(({ volume, target }) => `${volume}:${target}`),
      ports: ports.map(({ hostPort, containerPort, protocol }) => `${hostPort}:${containerPort}/${protocol}`),
      dependsOn: dependsOn.map((dependency) => dependency.container),
    })),
    networks: plan.networks.map(({ key }) => key),
    volumes: plan.volumes.map(({ key }) => key),
    warnings: plan.warnings.slice(0, MAX_WARNINGS),
    plan: byteLength(whole) > MAX_PLAN_BYTES ? null : whole,
  };
}
