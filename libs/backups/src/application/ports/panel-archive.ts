import type { Readable } from 'node:stream';

/** The panel's own database and its key ring, as of one moment, sealed. */
export abstract class PanelArchive {
  /** Fails where the database or the key ring fail; it then never looks complete. */
  abstract sealed(at: Date): Readable;
}
