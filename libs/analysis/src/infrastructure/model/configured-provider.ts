import { ModelProviders, type ModelProvider } from '../../application/ports/model-provider.js';

/** The provider of the settings. */
export class ConfiguredProvider extends ModelProviders {
  constructor(private readonly provider: ModelProvider | null) {
    super();
  }

  current(): Promise<ModelProvider | null> {
    return Promise.resolve(this.provider);
  }
}
