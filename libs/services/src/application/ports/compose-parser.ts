import type { ComposeDocument } from '../../domain/compose/compose-document.js';
import type { PlanContext } from '../../domain/compose/plan-context.js';

/** Parses untrusted YAML, with limits for size, depth and time, and never on the thread that serves requests. */
export abstract class ComposeParser {
  /**
   * @param source the file; bytes must be UTF-8
   * @param context used to plan a large file outside the main thread too, since listing thousands of errors takes long
   * @throws Invalid `validation_failed` for a file that cannot be read or takes too long; for a large file also the
   *   errors of `planDocument`
   * @throws Unavailable if too many files are waiting
   */
  abstract parse(source: string | Uint8Array, context: PlanContext): Promise<ComposeDocument>;
}
