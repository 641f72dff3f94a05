import type { TemplateIds } from '../../domain/result/merge.js';

/** The templates of this panel, by the kind of database they give. */
export abstract class TemplateCatalog {
  abstract ids(): Promise<TemplateIds>;
}
