import type { ComposeDocument } from '../../domain/compose/compose-document.js';

/** Reads YAML of strangers: bounded in size, depth and time, and never on the thread that serves requests. */
export abstract class ComposeParser {
  /**
   * @param source the file; bytes must be UTF-8
   * @throws Invalid `validation_failed` for everything that cannot be read, a file that takes too long included
   * @throws Unavailable when too many files wait already
   */
  abstract parse(source: string | Uint8Array): Promise<ComposeDocument>;
}
