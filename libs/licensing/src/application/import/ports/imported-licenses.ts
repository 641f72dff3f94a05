import type { ImportedLicense } from '../imported-license.js';

/** Stores licenses with their whole past, many at a time. */
export abstract class ImportedLicenses {
  /**
   * The caller's transaction locks the shape of the partner tree.
   * @param syncAt when the license service is to be told of them; null if it already knows
   */
  abstract insert(licenses: readonly ImportedLicense[], syncAt: Date | null): Promise<void>;
}
