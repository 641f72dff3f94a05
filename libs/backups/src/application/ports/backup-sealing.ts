import type { Readable } from 'node:stream';

/** Encrypts backups before they leave the panel, and opens them again. */
export abstract class BackupSealing {
  /**
   * Readable by the panel's own key always, and by the keys of `recipients` besides. An error of `plain` reaches the
   * reader of the result, which then never looks complete.
   * @param recipients public keys of age, `age1…`
   */
  abstract seal(plain: Readable, recipients: readonly string[]): Readable;

  /** The result fails, and never just ends, when the sealed bytes were cut off, changed or sealed for other keys. */
  abstract open(sealed: Readable): Readable;
}
