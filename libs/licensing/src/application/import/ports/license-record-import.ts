import type { ImportedLicense } from '../imported-license.js';

/** Brings the records of imported licenses to the license service. No method uses the network. */
export abstract class LicenseRecordImport {
  /**
   * True if a remote service keeps the records. Each license must then name its record, or the key to create one with.
   */
  abstract readonly elsewhere: boolean;
  /** Creates the records, or stores the keys with which a remote service creates them, in the caller's transaction. */
  abstract insert(licenses: readonly ImportedLicense[]): Promise<void>;
}
