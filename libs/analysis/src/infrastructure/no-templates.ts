import { TemplateCatalog } from '../application/ports/template-catalog.js';
import type { TemplateIds } from '../domain/result/merge.js';

/** A panel without templates: databases are told of, and none of them can be deployed from here. */
export class NoTemplates extends TemplateCatalog {
  ids(): Promise<TemplateIds> {
    return Promise.resolve(new Map());
  }
}
