import type { ModelProvider } from './model-provider.js';

/** Whether a provider can be asked now. */
export abstract class ModelReadiness {
  abstract isReady(provider: ModelProvider, signal: AbortSignal): Promise<boolean>;
}
