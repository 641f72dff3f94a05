import type { ImportedLicense } from '../imported-license.js';

/** Stores licenses with their whole history, many at a time. */
export abstract class ImportedLicenses {
  /**
   * The caller's transaction locks the shape of the partner tree.
   * @param syncAt when to send them to the license service; null if it already has them
   */
  abstract insert(licenses: readonly ImportedLicense[], syncAt: Date | null): Promise<void>;
}
