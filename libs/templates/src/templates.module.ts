import { Module, type DynamicModule } from '@nestjs/common';
import { TemplateCatalog } from './application/template-catalog.js';
import type { TemplateSettings } from './application/template-settings.js';
import { TEMPLATES } from './domain/catalog/index.js';
import type { Template } from './domain/template.js';

export interface TemplatesOptions {
  readonly settings: TemplateSettings;
  /** Defaults to the panel's own templates. */
  readonly templates?: readonly Template[];
}

@Module({})
export class TemplatesModule {
  static forRoot({ settings, templates = TEMPLATES }: TemplatesOptions): DynamicModule {
    return {
      module: TemplatesModule,
      providers: [{ provide: TemplateCatalog, useValue: new TemplateCatalog(templates, settings) }],
      exports: [TemplateCatalog],
    };
  }
}
