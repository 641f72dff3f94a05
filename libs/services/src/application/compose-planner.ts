import { interpolate } from '../domain/compose/interpolation.js';
import { isMapping, type ComposeMapping, type ComposeDocument } from '../domain/compose/compose-document.js';
import { Findings, fromPointer, Place } from '../domain/compose/place.js';
import type { PlanContext } from '../domain/compose/plan-context.js';
import { planService } from '../domain/compose/plan-service.js';
import type { ServicePlan } from '../domain/service-plan.js';
import { readComposeFile } from './compose-shape.js';
import { ComposeParser } from './ports/compose-parser.js';

/** From the text of a compose file to the plan of its service: the one way in, for deploying and for validating. */
export class ComposePlanner {
  constructor(private readonly parser: ComposeParser) {}

  /** @throws Invalid `compose_forbidden` or `validation_failed` with every offending place, by JSON pointer */
  async plan(source: string | Uint8Array, context: PlanContext): Promise<ServicePlan> {
    return planDocument(await this.parser.parse(source), context);
  }
}

/** The pure rest of the way: interpolation, schema, policy. */
export function planDocument(document: ComposeDocument, context: PlanContext): ServicePlan {
  const findings = new Findings();
  const root = Place.root(findings);
  for (const { path, message } of document.defects) root.at(...fromPointer(path)).refuse(message);
  const interpolated = interpolate(document.root, context.variables, root);
  const mapping: ComposeMapping = isMapping(interpolated) ? interpolated : {};
  return planService(readComposeFile(mapping, root), context, findings);
}
