import type { Message } from '../../domain/prompt/prompt.js';
import type { ModelProvider } from './model-provider.js';

export interface ModelQuestion {
  readonly messages: readonly Message[];
  /** JSON schema of the answer, for providers that can enforce it. */
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface ModelReply {
  readonly text: string;
  /** Tokens of question and answer, as counted by the provider, or estimated. */
  readonly tokens: number;
}

/** Asks a model. */
export abstract class ModelClient {
  /**
   * @param signal aborts the question on cancellation, or when the time for all questions of an analysis is over
   * @throws AnalysisFailed `provider_failed`, `provider_timeout`; the signal's reason if it is not one of our errors
   */
  abstract ask(provider: ModelProvider, question: ModelQuestion, signal: AbortSignal): Promise<ModelReply>;
}
