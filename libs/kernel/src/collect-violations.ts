import { Invalid } from './errors.js';

/**
 * Returns the results of all checks. Reports all violations together.
 * @throws Invalid with every violation. Its slug is the checks' own slug if they share one, otherwise `validation`
 */
export function collectViolations<Results extends Record<string, unknown>>(checks: {
  [Name in keyof Results]: () => Results[Name];
}): Results {
  const results: Partial<Results> = {};
  const refusals: Invalid[] = [];
  for (const name of Object.keys(checks) as (keyof Results)[]) {
    try {
      results[name] = checks[name]();
    } catch (error) {
      if (!(error instanceof Invalid)) throw error;
      refusals.push(error);
    }
  }
  if (refusals.length > 0) throw combined(refusals);
  return results as Results;
}

/** Combines several Invalid errors into one. */
export function combined(refusals: readonly Invalid[]): Invalid {
  const [first, ...others] = refusals;
  if (first && others.length === 0) return first;
  const slugs = new Set(refusals.map(({ slug }) => slug));
  const messages = new Set(refusals.map(({ message }) => message));
  const violations = refusals.flatMap((refusal) => refusal.violations);
  return new Invalid(slugs.size === 1 ? [...slugs][0]! : 'validation', [...messages].join('; '), violations);
}
