import type { ImportedLicense } from '../imported-license.js';

/** How records of imported licenses get to the license service. No method uses the network. */
export abstract class LicenseRecordImport {
  /**
   * True if the records are kept by a remote service: then each license must name its record, or the key to create it
   * with.
   */
  abstract readonly elsewhere: boolean;
  /** Creates the records if they are ours, or stores the keys for it, in the caller's transaction. */
  abstract insert(licenses: readonly ImportedLicense[]): Promise<void>;
}
