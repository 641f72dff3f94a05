import type { OpenAPIObject } from '@nestjs/swagger';
import { stringify } from 'yaml';

/** The OpenAPI document of a running API, built on first use because the start should not wait for it. */
export class OpenApiSource {
  private built: OpenAPIObject | null = null;
  private written: string | null = null;
  private build: (() => OpenAPIObject) | null = null;

  /** Call it once the routes exist. */
  setBuilder(build: () => OpenAPIObject): void {
    this.build = build;
  }

  document(): OpenAPIObject {
    if (this.built) return this.built;
    if (!this.build) throw new Error('the OpenAPI document was requested before setBuilder');
    this.built = this.build();
    return this.built;
  }

  /** Writing YAML takes longer than building the document, and few clients want YAML. */
  yaml(): string {
    this.written ??= stringify(this.document(), { aliasDuplicateObjects: false });
    return this.written;
  }
}
