import { diagnoseAiProvider as ask } from '#libs/analysis';
import type { BothSidesSettings } from '../sides/both-sides.js';
import { failed, off, ok, type Finding } from './finding.js';

const PROVIDER = 'AI provider';

/** Checks the AI provider. Without one, repositories cannot be analysed. */
export async function diagnoseAiProvider(settings: BothSidesSettings): Promise<Finding> {
  const found = await ask(settings);
  if (found === null)
    return off(PROVIDER, 'not configured: repositories cannot be analysed', 'set AI_BASE_URL and AI_MODEL');
  if (found.problem === null) return ok(PROVIDER, found.baseUrl);
  return failed(
    PROVIDER,
    `${found.baseUrl}: ${found.problem}`,
    'start the provider, or correct AI_BASE_URL, AI_API_KEY',
  );
}
