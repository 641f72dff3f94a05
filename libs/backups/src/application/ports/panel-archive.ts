import type { Readable } from 'node:stream';

/** Makes an encrypted archive of the panel's own database, in one consistent state, and its key ring. */
export abstract class PanelArchive {
  /** If the database or the key ring cannot be read, the stream fails and never looks like a complete archive. */
  abstract sealed(at: Date): Readable;
}
