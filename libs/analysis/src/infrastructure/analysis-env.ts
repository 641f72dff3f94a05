import { z } from 'zod';
import { SecretText } from '#kernel/crypto/secret-text';
import { httpUrl, positiveInteger, positiveNumber } from '#platform/config/setting-types';
import type { ModelProvider } from '../application/ports/model-provider.js';
import type { AnalysisSettings } from '../application/settings.js';

/** Settings of the analysis of repositories. */
export const analysisEnv = {
  AI_BASE_URL: httpUrl.optional(),
  AI_API_KEY: z.string().min(1).optional(),
  AI_MODEL: z.string().min(1).max(200).optional(),
  AI_TIMEOUT_SECONDS: positiveNumber(120),
  AI_TOKENS_PER_DAY: positiveInteger(1_000_000),
  AI_INPUT_TOKENS: positiveInteger(12_000),
};

export type AnalysisEnv = z.output<z.ZodObject<typeof analysisEnv>>;

/** Refuses a provider without a model, and a model without a provider. */
export function refuseHalfProvider(
  { AI_BASE_URL, AI_MODEL }: Pick<AnalysisEnv, 'AI_BASE_URL' | 'AI_MODEL'>,
  context: z.RefinementCtx,
): void {
  if ((AI_BASE_URL === undefined) === (AI_MODEL === undefined)) return;
  const missing = AI_BASE_URL === undefined ? 'AI_BASE_URL' : 'AI_MODEL';
  const message = 'is required with the other settings of the AI provider';
  context.addIssue({ code: 'custom', path: [missing], message });
}

export function analysisSettingsOf(env: AnalysisEnv): AnalysisSettings {
  return {
    timeoutMs: env.AI_TIMEOUT_SECONDS * 1000,
    tokensPerDay: env.AI_TOKENS_PER_DAY,
    inputTokens: env.AI_INPUT_TOKENS,
  };
}

/** Null if the settings name none. */
export function aiProviderOf({ AI_BASE_URL, AI_API_KEY, AI_MODEL }: AnalysisEnv): ModelProvider | null {
  if (AI_BASE_URL === undefined || AI_MODEL === undefined) return null;
  return {
    baseUrl: AI_BASE_URL.replace(/\/+$/, ''),
    apiKey: AI_API_KEY === undefined ? null : new SecretText(AI_API_KEY),
    model: AI_MODEL,
  };
}
