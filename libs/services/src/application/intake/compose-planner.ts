import { fromPointer } from '#kernel/text/json-pointer';
import { interpolate } from '../../domain/compose/variables/interpolation.js';
import { isMapping, type ComposeMapping, type ComposeDocument } from '../../domain/compose/compose-document.js';
import { Findings, Place } from '../../domain/compose/place.js';
import type { PlanContext } from '../../domain/compose/plan-context.js';
import { planService } from '../../domain/compose/plan-service.js';
import type { ServicePlan } from '../../domain/service-plan.js';
import { readComposeFile } from './compose-shape.js';
import { fromOldestForm } from './oldest-form.js';
import { ComposeParser } from '../ports/compose-parser.js';

/** Turns the text of a compose file into the plan of its service. Deploying and validating both use it. */
export class ComposePlanner {
  constructor(private readonly parser: ComposeParser) {}

  /** @throws Invalid `compose_forbidden` or `validation_failed` with every error, by JSON pointer */
  async plan(source: string | Uint8Array, context: PlanContext): Promise<ServicePlan> {
    return planDocument(await this.parser.parse(source, context), context);
  }
}

/**
 * The pure stages after parsing: interpolation, schema, policy.
 * @throws Invalid `compose_forbidden` or `validation_failed` with every error, by JSON pointer
 */
export function planDocument(document: ComposeDocument, context: PlanContext): ServicePlan {
  const moved = fromOldestForm(document.root);
  const findings = new Findings(moved === null ? null : 'services');
  const root = Place.root(findings);
  for (const { path, message, isUnreadable } of document.defects)
    root.at(...fromPointer(path)).refuse(message, isUnreadable ? 'yaml_unreadable' : undefined);
  if (moved !== null) refuseOldestForm(moved, findings, root);
  const interpolated = interpolate(moved ?? document.root, context.variables, root);
  const mapping: ComposeMapping = isMapping(interpolated) ? interpolated : {};
  return planService(readComposeFile(mapping, root), context, findings);
}

function refuseOldestForm({ services }: ComposeMapping, findings: Findings, root: Place): void {
  const message = 'It is required: the oldest file format, with services at the top level, is not supported.';
  findings.violations.push({ path: '/services', code: 'validation_failed', message });
  for (const name of Object.keys(services as ComposeMapping))
    root
      .at('services', name)
      .refuse('This is not a Compose key at the top level. Write it under services.', 'unknown_key');
}
