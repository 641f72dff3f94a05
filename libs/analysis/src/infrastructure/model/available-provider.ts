import type { LocalModel } from '../../application/local-model.js';
import { ModelProviders, type ModelProvider } from '../../application/ports/model-provider.js';

/** The provider of the settings, otherwise the bundled model if it is installed. */
export class AvailableProvider extends ModelProviders {
  constructor(
    private readonly configured: ModelProvider | null,
    private readonly local: LocalModel,
  ) {
    super();
  }

  async current(): Promise<ModelProvider | null> {
    return this.configured ?? this.local.provider();
  }
}
