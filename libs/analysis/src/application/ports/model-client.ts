import type { Message } from '../../domain/prompt/prompt.js';
import type { ModelProvider } from './model-provider.js';

export interface ModelQuestion {
  readonly messages: readonly Message[];
  /** JSON schema of the answer, for providers that can hold a model to it. */
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface ModelReply {
  readonly text: string;
  /** Those of the question and the answer, as the provider counted them; estimated where it does not. */
  readonly tokens: number;
}

/** Asks a model. */
export abstract class ModelClient {
  /**
   * @param signal ends the question: a cancellation, or the time that all questions of an analysis have together
   * @throws AnalysisFailed `provider_failed`, `provider_timeout`; the reason of the signal where that is none of ours
   */
  abstract ask(provider: ModelProvider, question: ModelQuestion, signal: AbortSignal): Promise<ModelReply>;
}
