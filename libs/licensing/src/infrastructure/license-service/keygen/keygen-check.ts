import { z } from 'zod';
import type { KeygenOptions } from '../license-service-settings.js';
import { KeygenConnection, type KeygenTimeouts } from './keygen-connection.js';

const policyDocument = z.object({
  data: z.object({ type: z.literal('policies'), attributes: z.object({ duration: z.number().nullable() }) }),
});

/** Why an edition cannot be sold with its policy; null if it can. */
export interface EditionCheck {
  readonly edition: string;
  readonly problem: string | null;
}

/**
 * Reads the policy of each edition from Keygen, which verifies the address, the account, the token and the policies.
 * @throws Unavailable or OutcomeUnknown if Keygen refuses us or does not answer
 */
export async function checkKeygenEditions(
  options: KeygenOptions,
  timeouts: KeygenTimeouts = { callMs: 5_000, operationMs: 15_000 },
): Promise<EditionCheck[]> {
  const connection = new KeygenConnection(options, timeouts);
  const deadline = connection.deadline();
  const checks: EditionCheck[] = [];
  for (const [edition, policyId] of options.policies) {
    const answer = await connection.call({ method: 'GET', path: `policies/${policyId}` }, deadline);
    checks.push({ edition, problem: answer.status === 404 ? 'its policy does not exist' : problemOf(answer.json) });
  }
  return checks;
}

function problemOf(json: unknown): string | null {
  const policy = policyDocument.safeParse(json);
  if (!policy.success) return 'its policy cannot be read';
  // Keygen would set an expiry on every license that we issue without one.
  return policy.data.data.attributes.duration === null ? null : 'its policy sets a duration';
}
