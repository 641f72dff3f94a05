import { Invalid, type Violation } from '#kernel/errors';
import { planDocument } from '../../../libs/services/src/application/intake/compose-planner.js';
import type { PlanContext } from '../../../libs/services/src/domain/compose/plan-context.js';
import type { ContainerPlan, ServicePlan } from '../../../libs/services/src/domain/service-plan.js';
import { readYaml } from '../../../libs/services/src/infrastructure/compose/read-yaml.js';
import { aContext } from '../../support/builders/a-plan-context.js';

/** Reads on this thread and plans: everything but the worker. */
export function plan(text: string, given: Partial<PlanContext> = {}): ServicePlan {
  const reading = readYaml(text);
  if (reading.root === null)
    throw new Invalid(
      'validation_failed',
      'unreadable',
      reading.defects.map((defect) => ({ ...defect, code: 'yaml_unreadable' })),
    );
  return planDocument(reading, aContext(given));
}

/** The plan of a file with the one service `web`, whose keys are the given lines. */
export function planWeb(keys: string, given: Partial<PlanContext> = {}, rest = ''): ContainerPlan {
  const container = plan(webFile(keys, rest), given).containers.find(({ name }) => name === 'web');
  if (container === undefined) throw new Error('The plan has no container web.');
  return container;
}

export function webFile(keys: string, rest = ''): string {
  const image = /^image:/m.test(keys) ? '' : '    image: nginx:1.27\n';
  const indented = keys
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => `    ${line}\n`)
    .join('');
  return `services:\n  web:\n${image}${indented}${rest}`;
}

export interface Refusal {
  readonly slug: string;
  readonly violations: readonly Violation[];
  readonly paths: readonly string[];
}

/** What is said about a file that must be refused; fails when it is planned. */
export function refusal(text: string, given: Partial<PlanContext> = {}): Refusal {
  try {
    plan(text, given);
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    return { slug: error.slug, violations: error.violations, paths: error.violations.map(({ path }) => path) };
  }
  throw new Error('The file was planned although it must be refused.');
}

export function refusalOfWeb(keys: string, given: Partial<PlanContext> = {}, rest = ''): Refusal {
  return refusal(webFile(keys, rest), given);
}
