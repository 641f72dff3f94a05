import type { SecretText } from '#kernel/crypto/secret-text';

/** An OpenAI-compatible endpoint and the model to ask there. */
export interface ModelProvider {
  /** Up to `/v1`, without a slash at its end. */
  readonly baseUrl: string;
  readonly apiKey: SecretText | null;
  readonly model: string;
}

/** Tells which provider answers: the one of the settings, else the bundled model where it is installed. */
export abstract class ModelProviders {
  /** Null when none is configured. It need not be reachable. */
  abstract current(): Promise<ModelProvider | null>;
}
