import { z } from 'zod';
import { StartRefused } from '../start-refused.js';

/** A setting is missing or invalid. The message names the variables, but never their values, which may be secret. */
export class SettingsError extends StartRefused {
  constructor(readonly problems: readonly string[]) {
    super(`Settings refused: ${problems.join('; ')}. See .env.example for every setting and its default.`);
    this.name = 'SettingsError';
  }
}

/**
 * The settings of one process: validated, typed and frozen. An empty variable counts as missing.
 * @throws SettingsError naming every invalid variable
 */
export function readEnv<S extends z.ZodObject>(
  schema: S,
  env: Readonly<Record<string, string | undefined>>,
): Readonly<z.output<S>> {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const result = schema.safeParse(given);
  if (result.success) return Object.freeze(result.data);
  const known = result.error.issues.map((issue) => `${issue.path.join('.')}: ${describe(issue, given)}`);
  throw new SettingsError(known);
}

function describe(issue: z.core.$ZodIssue, given: Record<string, unknown>): string {
  return given[String(issue.path[0])] === undefined ? 'is required' : issue.message;
}
