import type { ServicePlan } from '../../domain/service-plan.js';

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/**
 * The plan as an answer shows it: mappings as objects, environment values and inline contents as `[redacted]`. Secrets
 * print that way by themselves, so a field added to the plan is safe here too.
 */
export function viewPlan(plan: ServicePlan): Json {
  const text = JSON.stringify(plan, (_, value: unknown) =>
    value instanceof Map ? (Object.fromEntries(value) as unknown) : value,
  );
  return JSON.parse(text) as Json;
}
