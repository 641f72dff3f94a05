import { aiProviderOf, type AnalysisEnv } from './analysis-env.js';

const TIMEOUT_MS = 5_000;

export interface AiProviderDiagnosis {
  readonly baseUrl: string;
  /** Null if the provider answers and accepts the key. */
  readonly problem: string | null;
}

/** Requests the provider's list of models, which is free. Null if the settings name no provider. */
export async function diagnoseAiProvider(env: AnalysisEnv): Promise<AiProviderDiagnosis | null> {
  const provider = aiProviderOf(env);
  if (provider === null) return null;
  const { baseUrl, apiKey } = provider;
  return { baseUrl, problem: await problemOf(`${baseUrl}/models`, apiKey?.reveal() ?? null) };
}

async function problemOf(url: string, apiKey: string | null): Promise<string | null> {
  try {
    const headers: Record<string, string> = apiKey === null ? {} : { authorization: `Bearer ${apiKey}` };
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS), headers });
    await response.body?.cancel();
    if (response.status === 401 || response.status === 403) return `refuses the key (${response.status})`;
    // Some providers do not list models. It is enough that they answer.
    return response.status < 500 ? null : `answers ${response.status}`;
  } catch (error) {
    const { name, cause } = error as Error & { cause?: { code?: string } };
    return name === 'TimeoutError' ? 'does not answer in time' : `cannot be reached (${cause?.code ?? 'no answer'})`;
  }
}
