import type { OpenAPIObject } from '@nestjs/swagger';
import { stringify } from 'yaml';

/** The document of a running API: built when first asked for, because at the start nobody waits for it. */
export class OpenApiSource {
  private built: OpenAPIObject | null = null;
  private written: string | null = null;
  private build: (() => OpenAPIObject) | null = null;

  /** Called once the routes exist. */
  setBuilder(build: () => OpenAPIObject): void {
    this.build = build;
  }

  document(): OpenAPIObject {
    if (this.built) return this.built;
    if (!this.build) throw new Error('the OpenAPI document is asked for before the application is set up');
    this.built = this.build();
    return this.built;
  }

  /** Writing it takes longer than building it, and most who ask for the document want no YAML. */
  yaml(): string {
    this.written ??= stringify(this.document(), { aliasDuplicateObjects: false });
    return this.written;
  }
}
