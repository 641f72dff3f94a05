import type { SecretText } from '#kernel/crypto/secret-text';

/** An OpenAI-compatible endpoint and the model to ask there. */
export interface ModelProvider {
  /** Including `/v1`, without a trailing slash. */
  readonly baseUrl: string;
  readonly apiKey: SecretText | null;
  readonly model: string;
}

/** Selects the provider: the one of the settings, otherwise the bundled model if it is installed. */
export abstract class ModelProviders {
  /** Null if none is configured. The provider may be unreachable. */
  abstract current(): Promise<ModelProvider | null>;
}
