/** Where the images of templates come from. */
export abstract class TemplateSettings {
  /** `registry.internal:5000/mirror`, without a scheme; null: Docker Hub. */
  abstract readonly registry: string | null;
}
