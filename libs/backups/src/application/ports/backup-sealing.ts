import type { Readable } from 'node:stream';

/** Encrypts backups before they leave the panel, and decrypts them again. */
export abstract class BackupSealing {
  /**
   * Encrypts for the panel's own key and for `recipients`. If `plain` fails, the result fails too and never looks like
   * a complete backup.
   * @param recipients public keys of age, `age1…`
   */
  abstract seal(plain: Readable, recipients: readonly string[]): Readable;

  /**
   * Decrypts. The result fails, and never just ends, when the bytes are truncated, changed or sealed for other keys.
   */
  abstract open(sealed: Readable): Readable;
}
