import type { ComposeDocument } from '../../domain/compose/compose-document.js';
import type { PlanContext } from '../../domain/compose/plan-context.js';

/** Reads YAML of strangers: bounded in size, depth and time, and never on the thread that serves requests. */
export abstract class ComposeParser {
  /**
   * @param source the file; bytes must be UTF-8
   * @param context what a large file is planned with where it is read: to list thousands of places takes long as well
   * @throws Invalid `validation_failed` for everything that cannot be read, a file that takes too long included; what
   * `planDocument` throws, for a large file
   * @throws Unavailable when too many files wait already
   */
  abstract parse(source: string | Uint8Array, context: PlanContext): Promise<ComposeDocument>;
}
