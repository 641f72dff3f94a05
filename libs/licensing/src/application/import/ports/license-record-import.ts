import type { ImportedLicense } from '../imported-license.js';

/** How the records of imported licenses come to the license service. No method asks a service over the network. */
export abstract class LicenseRecordImport {
  /** True when the records are kept elsewhere: then each license must name its own, or the key to make it with. */
  abstract readonly elsewhere: boolean;
  /** Makes the records, where they are ours to make, or keeps the keys for it, in the caller's transaction. */
  abstract insert(licenses: readonly ImportedLicense[]): Promise<void>;
}
