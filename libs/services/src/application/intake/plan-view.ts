import type { ServicePlan } from '../../domain/service-plan.js';

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/**
 * The plan for a response: maps as objects, environment values and inline contents as `[redacted]`. Secret types redact
 * themselves, so fields that are added to the plan are safe too.
 */
export function viewPlan(plan: ServicePlan): Json {
  const text = JSON.stringify(plan, (_, value: unknown) =>
    value instanceof Map ? (Object.fromEntries(value) as unknown) : value,
  );
  return JSON.parse(text) as Json;
}
