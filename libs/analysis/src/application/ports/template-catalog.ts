import type { TemplateIds } from '../../domain/result/merge.js';

/** The templates of this panel, by kind of database. */
export abstract class TemplateCatalog {
  abstract ids(): Promise<TemplateIds>;
}
