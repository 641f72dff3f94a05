import type { SecretText } from '#kernel/crypto/secret-text';

export interface BackupIdentity {
  /** The public age key, `age1…`. */
  readonly recipient: string;
  /** The private age key, `AGE-SECRET-KEY-1…`. */
  readonly identity: SecretText;
}

/** The panel's own backup key. It is generated on first use and stored encrypted with the key ring. */
export abstract class PanelBackupKey {
  /**
   * All keys, newest first. New backups are sealed to the newest; the older ones still open older backups.
   * @throws BackupKeyUnavailable when the key ring cannot decrypt them
   */
  abstract all(): Promise<readonly [BackupIdentity, ...BackupIdentity[]]>;
}

/** The panel's backup key cannot be decrypted: SECRETS_KEYS is unset or lacks the key it was encrypted with. */
export class BackupKeyUnavailable extends Error {
  constructor(options?: { cause?: unknown }) {
    super('the key for backups cannot be opened with SECRETS_KEYS', options);
    this.name = 'BackupKeyUnavailable';
  }
}
