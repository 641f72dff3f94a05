import { Injectable } from '@nestjs/common';
import { TemplateCatalog as Templates } from '#libs/templates';
import { TemplateCatalog } from '../application/ports/template-catalog.js';
import { DATABASE_KINDS } from '../domain/facts/database-kinds.js';
import type { TemplateIds } from '../domain/result/merge.js';

/** The database templates of this panel; their slugs are the names of the kinds. */
@Injectable()
export class DatabaseTemplates extends TemplateCatalog {
  constructor(private readonly templates: Templates) {
    super();
  }

  ids(): Promise<TemplateIds> {
    const known = new Map(this.templates.list().map(({ slug, id }) => [slug, id]));
    return Promise.resolve(
      new Map(
        DATABASE_KINDS.flatMap((kind) => {
          const id = known.get(kind);
          return id ? [[kind, id] as const] : [];
        }),
      ),
    );
  }
}
