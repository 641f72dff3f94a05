import type { ModelProvider } from './model-provider.js';

/** Checks whether a provider is reachable. */
export abstract class ModelReadiness {
  abstract isReady(provider: ModelProvider, signal: AbortSignal): Promise<boolean>;
}
