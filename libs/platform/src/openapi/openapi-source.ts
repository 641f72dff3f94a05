import type { OpenAPIObject } from '@nestjs/swagger';
import { stringify } from 'yaml';

/** The document of a running API: built when first asked for, because at the start nobody waits for it. */
export class OpenApiSource {
  private built: { document: OpenAPIObject; yaml: string } | null = null;
  private build: (() => OpenAPIObject) | null = null;

  /** Called once the routes exist. */
  setBuilder(build: () => OpenAPIObject): void {
    this.build = build;
  }

  document(): OpenAPIObject {
    return this.once().document;
  }

  yaml(): string {
    return this.once().yaml;
  }

  private once(): { document: OpenAPIObject; yaml: string } {
    if (this.built) return this.built;
    if (!this.build) throw new Error('the OpenAPI document is asked for before the application is set up');
    const document = this.build();
    this.built = { document, yaml: stringify(document, { aliasDuplicateObjects: false }) };
    return this.built;
  }
}
